/** Declares onnxc.mjs, which emscripten writes. In the package, onnxc.mjs is in the same folder as this file. */
export default function createModule(options: object): Promise<any>;
