// Handles files that are dropped on the page: opens them, or compares them with the open model.
import { element } from "./dom";

export function acceptDrops(open: (files: File[]) => void, compare: (files: File[]) => void): void {
  const zones = element("drop");
  let depth = 0; // the number of nested elements that the pointer has entered
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;
  const end = (): void => {
    depth = 0;
    zones.hidden = true;
  };
  window.addEventListener("dragenter", (event) => {
    if (!hasFiles(event)) return;
    depth++;
    zones.hidden = false;
  });
  window.addEventListener("dragleave", () => {
    if (depth > 0 && --depth === 0) end();
  });
  window.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    const isCompared = (event.target as HTMLElement).closest("#drop-compare, #panel-differences") !== null;
    zones.dataset.over = isCompared ? "compare" : "open";
  });
  // Handled before the editor handles it, because the editor would insert the text of the file.
  window.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const isCompared = zones.dataset.over === "compare";
    end();
    const files = [...event.dataTransfer!.files];
    if (files.length > 0) (isCompared ? compare : open)(files);
  }, { capture: true });
}

/** Returns a function that lets the user choose files. */
export function chooseFiles(id: string, use: (files: File[]) => void): () => void {
  const input = element<HTMLInputElement>(id);
  input.addEventListener("change", () => {
    const files = [...(input.files ?? [])];
    input.value = ""; // so that the same file can be chosen again
    if (files.length > 0) use(files);
  });
  return () => input.click();
}
