// The subcommands of onnxc as functions, whose arguments and results are strings and bytes.
import { Onnxc, OnnxcError } from './onnxc.mjs';

export { Onnxc, OnnxcError } from './onnxc.mjs';
export { createLanguageServer } from './language_server.mjs';

/** @typedef {import('./index.d.ts').Finding} Finding */
/** @typedef {import('./index.d.ts').Model} Model */
/** @typedef {import('./index.d.ts').CommonOptions} CommonOptions */

/** @type {Promise<Onnxc> | undefined} */
let shared;

/**
 * Returns the module that the functions share. Loads a new one if the last one has failed.
 * @returns {Promise<Onnxc>}
 */
async function instance() {
  const last = shared;
  const onnxc = await last?.catch(() => undefined);
  if (onnxc !== undefined && !onnxc.hasEnded) return onnxc;
  if (shared === last) shared = Onnxc.load();  // otherwise another call has already loaded one
  return /** @type {Promise<Onnxc>} */ (shared);
}

const text = new TextDecoder();

/** @param {Model} model */
const nameOf = (model) => (typeof model === 'string' ? 'model.onnxtxt' : 'model.onnx');

/**
 * @param {string} name
 * @param {unknown} value
 * @returns {string[]}
 */
function option(name, value) {
  if (value === undefined || value === false) return [];
  return value === true ? [name] : [`${name}=${Array.isArray(value) ? value.join(',') : value}`];
}

/**
 * Runs the command on one or two models.
 * @param {string} command
 * @param {Record<string, Model>} models
 * @param {string[]} args
 * @param {CommonOptions} options
 * @returns {Promise<{ status: number, stdout: Uint8Array, findings: Finding[] }>}
 */
async function run(command, models, args, { kind, warnings = {}, allFindings, files = {}, args: more = [], onnxc } = {}) {
  const levels = Object.entries(warnings).flatMap(([name, level]) => ['-W', `${name}=${level}`]);
  const common = ['--error-format=json', ...option('--kind', kind), ...option('--all-findings', allFindings), ...levels];
  const { status, stdout, stderr } = (onnxc ?? (await instance())).run(
    [command, ...common, ...args, ...more, ...Object.keys(models)], { files: { ...files, ...models } });
  const said = text.decode(stderr);
  if (said !== '' && !said.startsWith('{')) throw new OnnxcError(said.trim().replace(/^onnxc[^:]*: (error: )?/, ''), { stderr: said });
  return { status, stdout, findings: said === '' ? [] : JSON.parse(said).diagnostics };
}

/** @param {Finding[]} findings */
const isRight = (findings) => findings.every(({ severity }) => severity !== 'error');

/**
 * @param {Model} model
 * @param {import('./index.d.ts').CompileOptions} [options]
 */
export async function compile(model, { to, check, infer, ...common } = {}) {
  const args = ['-o', '-', ...option('--to', to), ...option('--no-check', check === false), ...option('--no-infer', infer === false)];
  const { status, stdout, findings } = await run('compile', { [nameOf(model)]: model }, args, common);
  return { output: status === 0 ? stdout : null, findings };
}

/**
 * @param {Model} model
 * @param {import('./index.d.ts').PrintOptions} [options]
 */
export async function print(model, { dialect, weights, skeleton, types, allowLoss, ...common } = {}) {
  const args = [...option('--dialect', dialect), ...option('--weights', weights), ...option('--skeleton', skeleton),
    ...option('--types', types), ...option('--allow-loss', allowLoss)];
  const { status, stdout, findings } = await run('print', { [nameOf(model)]: model }, args, common);
  return { output: status === 0 ? text.decode(stdout) : null, findings };
}

/**
 * @param {Model} model
 * @param {import('./index.d.ts').CheckOptions} [options]
 */
export async function check(model, { strict, infer, ...common } = {}) {
  const args = [...option('--strict', strict), ...option('--no-infer', infer === false)];
  const { findings } = await run('check', { [nameOf(model)]: model }, args, common);
  return { ok: isRight(findings), findings };
}

/**
 * @param {Model} model
 * @param {import('./index.d.ts').InferOptions} [options]
 */
export async function infer(model, { to = 'onnx', overwrite, strict, ...common } = {}) {
  const args = ['-o', '-', ...option('--to', to), ...option('--overwrite', overwrite), ...option('--strict', strict)];
  const { status, stdout, findings } = await run('infer', { [nameOf(model)]: model }, args, common);
  return { output: status === 2 || stdout.length === 0 ? null : stdout, findings };
}

/**
 * @param {string} source
 * @param {import('./index.d.ts').FormatOptions} [options]
 */
export async function format(source, { width, ...common } = {}) {
  const { status, stdout, findings } = await run('fmt', { 'model.onnxtxt': source }, option('--width', width), common);
  return { output: status === 0 ? text.decode(stdout) : null, findings };
}

/**
 * @param {Model} a
 * @param {Model} b
 * @param {import('./index.d.ts').DiffOptions} [options]
 */
export async function diff(a, b, { ignore, tolerance, weightsTolerance, ...common } = {}) {
  const args = ['--json', ...option('--ignore', ignore), ...option('--tolerance', tolerance),
    ...option('--weights-tolerance', weightsTolerance)];
  const { status, stdout, findings } = await run('diff', { [`a/${nameOf(a)}`]: a, [`b/${nameOf(b)}`]: b }, args, common);
  const differences = status === 2 ? null : JSON.parse(text.decode(stdout)).differences;
  return { same: status === 0, differences, findings };
}

/**
 * @param {Model} model
 * @param {import('./index.d.ts').InfoOptions} [options]
 */
export async function info(model, { top, ...common } = {}) {
  const { status, stdout, findings } = await run('info', { [nameOf(model)]: model }, ['--json', ...option('--top', top)], common);
  return { summary: status === 0 ? JSON.parse(text.decode(stdout)).models[0] : null, findings };
}

/**
 * @param {Model} model
 * @param {import('./index.d.ts').GraphOptions} [options]
 */
export async function graph(model, { around, function: name, depth, from, to, ...common } = {}) {
  const args = [...option('--around', around), ...option('--function', name), ...option('--depth', depth),
    ...option('--from', from), ...option('--to', to)];
  const { status, stdout, findings } = await run('graph', { [nameOf(model)]: model }, args, common);
  return { output: status === 0 ? text.decode(stdout) : null, findings };
}

/**
 * @param {string} kind
 * @param {Pick<CommonOptions, 'onnxc'>} [options]
 * @returns {Promise<string>}
 */
export async function explain(kind, { onnxc } = {}) {
  const { status, stdout, stderr } = (onnxc ?? (await instance())).run(['explain', kind]);
  if (status !== 0) throw new RangeError(text.decode(stderr).trim().replace(/^onnxc[^:]*: (error: )?/, ''));
  return text.decode(stdout);
}
