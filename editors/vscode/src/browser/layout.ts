// The worker that computes the layouts of pictures. It receives a DOT text, and returns `{svg}` or `{error}`. In Node.js,
// src/desktop/thread.ts starts it.
import { instance } from "@viz-js/viz";
import { messageOf } from "../message";
import { Answer } from "../renderer";

declare const self: DedicatedWorkerGlobalScope;

const viz = instance();

async function layOut(dot: string): Promise<Answer> {
  try {
    const svg = (await viz).renderString(dot, { format: "svg" });
    return { svg: svg.slice(svg.indexOf("<svg")) };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

self.onmessage = async ({ data }: MessageEvent<string>) => self.postMessage(await layOut(data));
