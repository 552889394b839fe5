// The extension in a browser that has no other machine: onnxc runs as WebAssembly, in workers.
import * as vscode from "vscode";
import { BrowserMessageReader, BrowserMessageWriter, LanguageClient, LanguageClientOptions, Message, MessageTransports } from "vscode-languageclient/browser";
import { start } from "../extension";
import { Found, Host, messageOf } from "../host";
import { SCHEMES } from "../models";
import { changeForServer, filesForServer, fromServer, toServer } from "./files";
import { ModuleProgram } from "./program";

export { deactivate } from "../extension";

export function activate({ extension, subscriptions }: vscode.ExtensionContext): Promise<void> {
  const host = new Browser(extension);
  subscriptions.push(host);
  return start(extension, subscriptions, host);
}

/** This command is not offered in a browser: the server would write a file in the memory of the module. */
const MOVE_WEIGHTS = "onnxc.moveWeights";

function commandOf({ command }: vscode.Command | vscode.CodeAction): string | undefined {
  return typeof command === "object" ? command.command : command;
}

/** Copies messages before they are posted, because settings of VS Code are proxies, which cannot be posted. */
class PlainWriter extends BrowserMessageWriter {
  override write(message: Message): Promise<void> {
    return super.write(JSON.parse(JSON.stringify(message)) as Message);
  }
}

class Browser implements Host {
  readonly schemes = [...new Set(["vscode-vfs", ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.scheme), ...SCHEMES])];
  private program: Promise<ModuleProgram> | undefined;
  private server: Worker | undefined;
  private readonly scripts = new Map<string, Promise<string>>();

  constructor(private readonly extension: vscode.Extension<unknown>) {}

  async find(): Promise<Found> {
    this.program ??= this.load();
    try {
      return { program: await this.program, tried: [] };
    } catch (error) {
      this.program = undefined;
      return { tried: [`server/module/onnxc.wasm in the extension: ${messageOf(error)}`] };
    }
  }

  private async load(): Promise<ModuleProgram> {
    const bytes = await vscode.workspace.fs.readFile(this.uriOf("server", "module", "onnxc.wasm"));
    const module = await WebAssembly.compile(bytes as Uint8Array<ArrayBuffer>);
    const version: string = this.extension.packageJSON.version; // the module is a part of the extension
    const script = await this.scriptOf("server/worker.js");
    return new ModuleProgram(version, module, () => new Worker(script));
  }

  client(program: ModuleProgram, options: LanguageClientOptions): LanguageClient {
    const serve = async (): Promise<MessageTransports> => {
      const { port1, port2 } = new MessageChannel();
      this.server?.terminate();
      this.server = program.startWorker();
      this.server.postMessage({ module: program.module, serve: port2, files: await filesForServer() }, [port2]);
      return { reader: new BrowserMessageReader(port1), writer: new PlainWriter(port1) };
    };
    return new LanguageClient("onnxc", "ONNX text", serve, {
      ...options,
      uriConverters: { code2Protocol: (uri) => toServer(uri, SCHEMES), protocol2Code: fromServer },
      middleware: {
        ...options.middleware,
        provideCodeActions: async (document, range, context, token, next) =>
          (await next(document, range, context, token))?.filter((action) => commandOf(action) !== MOVE_WEIGHTS),
        workspace: {
          ...options.middleware?.workspace,
          didChangeWatchedFile: async (event, next) => {
            this.server?.postMessage(await changeForServer(event.uri));
            await next(event);
          },
        },
      },
    });
  }

  startLayout: Host["startLayout"] = (listener) => {
    const started = this.scriptOf("dist/layout.js").then((script) => {
      const worker = new Worker(script);
      worker.onmessage = ({ data }) => listener.answer(data);
      worker.onerror = ({ message }) => listener.end(new Error(message));
      return worker;
    });
    const use = (action: (worker: Worker) => void): void => void started.then(action, (error: Error) => listener.end(error));
    return { post: (dot) => use((worker) => worker.postMessage(dot)), stop: () => use((worker) => worker.terminate()) };
  };

  register(): vscode.Disposable[] {
    return [];
  }

  private uriOf(...path: string[]): vscode.Uri {
    return vscode.Uri.joinPath(this.extension.extensionUri, ...path);
  }

  /** Returns the address of a script for workers. The script is read once. */
  private scriptOf(path: string): Promise<string> {
    let script = this.scripts.get(path);
    if (script === undefined) {
      script = this.readScript(path);
      this.scripts.set(path, script);
      script.catch(() => this.scripts.delete(path)); // the next start tries again
    }
    return script;
  }

  /** Returns the address of a blob, because VS Code starts no worker from the files of an extension on another machine. */
  private async readScript(path: string): Promise<string> {
    const script = await vscode.workspace.fs.readFile(this.uriOf(path));
    return URL.createObjectURL(new Blob([script as Uint8Array<ArrayBuffer>], { type: "text/javascript" }));
  }

  dispose(): void {
    for (const script of this.scripts.values()) void script.then((url) => URL.revokeObjectURL(url), () => undefined);
    this.server?.terminate();
    void this.program?.then((program) => program.dispose(), () => undefined);
  }
}
