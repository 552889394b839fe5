// The tab that shows the sizes in a model: weights by type, the largest tensors, and the rest.
import { element, make, plural, sizeOf } from "./dom";
import type { Summary } from "./tasks";

interface Part {
  name: string;
  what: string;
  bytes: number;
}

function partsOf({ bytes, parameters, constants }: Summary): Part[] {
  const tensors = (kind: string, groups: Summary["parameters"]): Part[] =>
    groups.map((group) => ({ name: `${kind} of ${group.element_type}`, what: `${plural(group.tensors, "tensor")}, ${plural(group.elements, "element")}`, bytes: group.bytes }));
  const weights = [...tensors("Weights", parameters), ...tensors("Constants", constants)];
  const inside = [...parameters, ...constants].reduce((sum, group) => sum + group.bytes - group.external_bytes, 0);
  const rest = { name: "Structure", what: "nodes, names, types and texts", bytes: Math.max(0, bytes - inside) };
  return [...weights, rest].toSorted((a, b) => b.bytes - a.bytes);
}

function bars(title: string, parts: Part[], whole: number): HTMLElement {
  const rows = parts.map(({ name, what, bytes }) => {
    const share = whole === 0 ? 0 : (100 * bytes) / whole;
    const bar = make("span", { class: "bar", "aria-hidden": "true" }, make("i"));
    (bar.firstElementChild as HTMLElement).style.width = `${Math.max(share, 0.4)}%`;
    return make("tr", {}, make("th", { scope: "row", title: name }, name), make("td", { class: "what", title: what }, what), make("td", { class: "number" }, sizeOf(bytes)),
      make("td", { class: "number" }, `${share.toFixed(1)} %`), make("td", {}, bar));
  });
  return make("table", {}, make("caption", {}, title), make("tbody", {}, ...rows));
}

export function showSizes(summary: Summary): void {
  const whole = summary.bytes + [...summary.parameters, ...summary.constants].reduce((sum, group) => sum + group.external_bytes, 0);
  const largest = summary.largest.map(({ name, type, bytes, readers }) => ({ name: name || "(no name)", what: `${type}${readers.length > 0 ? `, read by ${readers[0]}` : ""}`, bytes }));
  const operators = summary.operators.toSorted((a, b) => b.nodes - a.nodes).map(({ domain, op_type, nodes }) =>
    make("li", {}, make("span", {}, domain === "" ? op_type : `${domain}.${op_type}`), make("b", {}, nodes.toLocaleString("en"))));
  const parts = [make("p", { class: "total" }, `${sizeOf(whole)} in ${plural(summary.nodes, "node")}${summary.subgraphs > 0 ? ` and ${plural(summary.subgraphs, "subgraph")}` : ""}`), bars("By part", partsOf(summary), whole)];
  if (largest.length > 0) parts.push(bars("Largest tensors", largest, whole));
  if (operators.length > 0) parts.push(make("section", {}, make("h2", {}, "Operators"), make("ul", { class: "operators" }, ...operators)));
  element("sizes-content").replaceChildren(...parts);
}

export function showNoSizes(message: string): void {
  element("sizes-content").replaceChildren(make("p", { class: "note" }, message));
}
