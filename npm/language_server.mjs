// Runs the language server on a message port: the messages of the protocol are posted to the port as objects.
import { Onnxc } from './onnxc.mjs';

/**
 * @param {import('./index.d.ts').Port} port
 * @param {import('./index.d.ts').LanguageServerOptions} [options]
 */
export async function createLanguageServer(port, { onnxc, files, onError } = {}) {
  /** @type {object[]} */
  const waiting = [];
  /** @type {(message: any) => void} */
  let receive = (message) => void waiting.push(message);
  // In browsers, a worker or port passes an event to the listener; in Node.js, it passes the message itself.
  const listener = (/** @type {any} */ event) => receive(isEvent(event) ? event.data : event);
  listen(port, listener);
  try {
    const server = (onnxc ?? (await Onnxc.load())).languageServer((message) => port.postMessage(message), { files });
    receive = (message) => {
      try {
        server.receive(message);
      } catch (error) {
        end();
        port.postMessage({ jsonrpc: '2.0', method: 'window/showMessage', params: { type: 1, message: `onnxc: ${error instanceof Error ? error.message : error}` } });
        onError?.(error);
      }
    };
    const end = () => unlisten(port, listener);
    for (const message of waiting.splice(0)) receive(message);
    return {
      dispose() {
        end();
        server.dispose();
      },
    };
  } catch (error) {
    unlisten(port, listener);
    throw error;
  }
}

/** @param {any} event */
const isEvent = (event) => typeof MessageEvent === 'function' && event instanceof MessageEvent;

/**
 * @param {any} port
 * @param {(event: any) => void} listener
 */
function listen(port, listener) {
  if (port.addEventListener) port.addEventListener('message', listener);
  else port.on('message', listener);
  port.start?.();
}

/**
 * @param {any} port
 * @param {(event: any) => void} listener
 */
function unlisten(port, listener) {
  if (port.removeEventListener) port.removeEventListener('message', listener);
  else port.off('message', listener);
}
