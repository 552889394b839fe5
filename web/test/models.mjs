// Models for the tests, made when they are needed.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { onnxc } from "./browser.mjs";

/** Returns a text with `count` nodes, in repeated attention blocks. If `isVaried` is true, the blocks have different sizes. */
export function deepText(count, isVaried = false) {
  const lines = ['<ir_version: 10, opset_import: ["": 21]>', "net (float[N, 64, 256] x) => (float[N, 64, 256] y) {"];
  let current = "x";
  let nodes = 0;
  const add = (line) => {
    lines.push(`   ${line}`);
    nodes++;
  };
  for (let block = 0; nodes < count - 1; ++block) {
    const name = (part) => `b${block}_${part}`;
    add(`${name("q")} = Relu (${current})`);
    add(`${name("k")} = Tanh (${current})`);
    add(`${name("v")} = Sigmoid (${current})`);
    add(`${name("kt")} = Transpose <perm = [0, 2, 1]> (${name("k")})`);
    add(`${name("s")} = MatMul (${name("q")}, ${name("kt")})`);
    add(`${name("c")} = Constant <value = float {0.125}> ()`);
    add(`${name("m")} = Mul (${name("s")}, ${name("c")})`);
    add(`${name("p")} = Softmax <axis = -1> (${name("m")})`);
    add(`${name("a")} = MatMul (${name("p")}, ${name("v")})`);
    add(`${name("r")} = Add (${current}, ${name("a")})`);
    let last = name("r");
    const more = isVaried ? (block * 7) % 11 : 3;
    for (let i = 0; i < more; ++i) {
      add(`${name(`e${i}`)} = ${["Gelu", "Abs", "Neg"][(block + i) % 3]} (${last})`);
      last = name(`e${i}`);
    }
    add(`${name("o")} = Add (${name("r")}, ${last})`);
    current = name("o");
  }
  add(`y = Identity (${current})`);
  return `${lines.join("\n")}\n}\n`;
}

/** Writes a binary model with `bytes` bytes of weights, divided among `tensors` tensors. Returns the path of the file. */
export async function heavyModel(folder, bytes, tensors = 4) {
  const columns = 1024;
  const rows = Math.ceil(bytes / tensors / 4 / columns);
  const text = ['<ir_version: 10, opset_import: ["": 21]>', `heavy (float[N, ${columns}] x) => (float[N, ${columns}] y) {`];
  let last = "x";
  for (let i = 0; i < tensors; ++i) {
    text.push(`   s${i} = ReduceSum <keepdims = 1> (w${i})`, `   h${i} = Add (${last}, s${i})`);
    last = `h${i}`;
  }
  text.push(`   y = Relu (${last})`, "}");
  const skeleton = text.join("\n").replace(" {", ` <${Array.from({ length: tensors }, (_, i) => `float[${rows}, ${columns}] w${i} = ["location": "heavy.data", "offset": "${i * rows * columns * 4}", "length": "${rows * columns * 4}"]`).join(", ")}> {`);
  const data = new Float32Array(tensors * rows * columns).map((_, i) => ((i * 2654435761) >>> 0) / 4294967296);
  await writeFile(join(folder, "heavy.data"), data);
  await writeFile(join(folder, "heavy.onnxtxt"), skeleton);
  const { status, stderr } = onnxc(["weights", "inline", "heavy.onnxtxt", "-o", "heavy.onnx"], folder);
  if (status !== 0) throw new Error(stderr);
  return join(folder, "heavy.onnx");
}

const EVIL = "<img src=x onerror=window.hacked=1><script>window.hacked=2</script>";

/** A model whose names are HTML, in every place where a model has names. */
export const HOSTILE = `# ${EVIL}
<ir_version: 10, opset_import: ["": 21, "d": 1], producer_name: "${EVIL}", doc_string: "\\"${EVIL}">
"${EVIL}" (float[N] "x${EVIL}") => (float["${EVIL}"] y) <float[2] "w${EVIL}" = {1, 2}>
{
   called = d.G ("x${EVIL}", "w${EVIL}")
   ["n${EVIL}"] "a${EVIL}" = d."F${EVIL}" <"k${EVIL}" = "${EVIL}"> (called)
   y = Foo ("a${EVIL}", "unknown${EVIL}")
}
<domain: "d", opset_import: ["": 21], doc_string: "${EVIL}">
G ("in${EVIL}", "v${EVIL}") => ("o${EVIL}") { "o${EVIL}" = Add ("in${EVIL}", "v${EVIL}") }
<domain: "d", opset_import: ["": 21]>
"F${EVIL}" <"k${EVIL}"> ("in${EVIL}") => ("o${EVIL}") { "o${EVIL}" = Abs ("in${EVIL}") }
`;
