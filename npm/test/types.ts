// Checks that the functions have the types that index.d.ts declares. This file is only compiled, by `tsc`.
import * as actual from '../index.mjs';
import type * as declared from '../index.js';

type Functions = Pick<typeof declared,
  'compile' | 'print' | 'check' | 'infer' | 'format' | 'diff' | 'info' | 'graph' | 'explain' | 'createLanguageServer'>;
export const functions: Functions = actual;

type Run = Pick<declared.Onnxc, 'run' | 'languageServer' | 'hasEnded'>;
export const run = async (): Promise<Run> => actual.Onnxc.load(new URL('file:///onnxc.wasm'));
export const error: declared.OnnxcError = new actual.OnnxcError('message');
export const worker = (port: MessagePort, self: Worker): Promise<unknown>[] => [
  actual.createLanguageServer(port),
  actual.createLanguageServer(self),
];
