// Tabs. The arrow keys move between them. On narrow pages, the text and the picture are also tabs.
import { element } from "./dom";

export class Tabs {
  private readonly tabs: HTMLElement[];
  private current = "findings";

  /** Called when another tab is shown. */
  onShow: () => void = () => undefined;

  constructor() {
    const list = element("tabs");
    this.tabs = [...list.querySelectorAll<HTMLElement>('[role="tab"]')];
    list.addEventListener("click", (event) => {
      const tab = (event.target as HTMLElement).closest<HTMLElement>('[role="tab"]');
      if (tab !== null) this.show(tab.dataset.view!);
    });
    list.addEventListener("keydown", (event) => this.onKey(event));
    // When the page becomes wide, the text and the picture are shown next to the tabs.
    matchMedia("(max-width: 800px)").addEventListener("change", ({ matches }) => this.show(matches ? "text" : "findings"));
    this.show(matchMedia("(max-width: 800px)").matches ? "text" : "findings");
  }

  get name(): string {
    return this.current;
  }

  show(name: string): void {
    this.current = name;
    document.body.dataset.view = name;
    for (const tab of this.tabs) {
      const isShown = tab.dataset.view === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
    }
    this.onShow();
  }

  private onKey(event: KeyboardEvent): void {
    const visible = this.tabs.filter((tab) => tab.offsetParent !== null);
    const at = visible.findIndex((tab) => tab.dataset.view === this.current);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: visible.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const tab = visible[(to + visible.length) % visible.length];
    this.show(tab.dataset.view!);
    tab.focus();
  }
}
