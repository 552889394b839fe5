// Starts the thread that computes the layouts of pictures.
import { Worker } from "node:worker_threads";
import { Answer, Listener, Thread } from "../renderer";

// The script is written for a worker of a browser. This code provides the functions of such a worker.
const BOOT = `
const { parentPort, workerData } = require("node:worker_threads");
globalThis.self = globalThis;
self.postMessage = (message) => parentPort.postMessage(message);
parentPort.on("message", (data) => self.onmessage({ data }));
require(workerData);`;

/** Starts the thread. `script` is the path of layout.js. */
export function startThread(script: string, listener: Listener): Thread {
  const worker = new Worker(BOOT, { eval: true, workerData: script });
  worker.on("message", (answer: Answer) => listener.answer(answer));
  worker.on("error", (error) => listener.end(error)).on("exit", () => listener.end(new Error("The layout has ended.")));
  return { post: (dot) => worker.postMessage(dot), stop: () => void worker.terminate() };
}
