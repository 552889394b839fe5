/** What emscripten writes: onnxc.mjs, beside this file in the package. */
export default function createModule(options: object): Promise<any>;
