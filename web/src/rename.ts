// Renames the symbol at the cursor everywhere in the text.
import type { LSPClient } from "@codemirror/lsp-client";
import { element, messageOf } from "./dom";
import type { Editor } from "./editor";
import type { Range } from "./protocol";
import { applyEdit, URI } from "./server";
import type { WorkspaceEdit } from "./server";
import { say } from "./status";

export class Rename {
  private readonly dialog = element<HTMLDialogElement>("rename");
  private readonly input = element<HTMLInputElement>("rename-name");
  private position = { line: 0, character: 0 };

  constructor(
    private readonly editor: Editor,
    private readonly client: LSPClient,
  ) {
    element("rename-form").addEventListener("submit", (event) => {
      event.preventDefault();
      void this.rename();
    });
    element("rename-cancel").addEventListener("click", () => this.dialog.close());
    this.dialog.addEventListener("close", () => this.editor.view.focus());
  }

  /** Asks the user for the new name. */
  async ask(): Promise<void> {
    this.client.sync();
    this.position = this.editor.cursor;
    const params = { textDocument: { uri: URI }, position: this.position };
    const found = await this.client.request<object, { range: Range; placeholder: string } | null>("textDocument/prepareRename", params).catch(() => null);
    if (found === null) return say("Put the cursor on a name in the text first.");
    element("rename-old").textContent = `New name for ${found.placeholder}`;
    element("rename-error").textContent = "";
    this.input.value = found.placeholder;
    this.dialog.showModal();
    this.input.select();
  }

  private async rename(): Promise<void> {
    const params = { textDocument: { uri: URI }, position: this.position, newName: this.input.value };
    try {
      const edit = await this.client.request<object, WorkspaceEdit | null>("textDocument/rename", params);
      this.dialog.close();
      if (edit !== null) applyEdit(this.editor.view, edit);
    } catch (error) {
      element("rename-error").textContent = messageOf(error); // for example, the name is already used
    }
  }
}
