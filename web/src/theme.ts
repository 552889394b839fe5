// The theme of the page: light, dark, or the theme of the system.
import { element } from "./dom";
import { palette } from "./palette";
import type { Palette } from "./palette";

const KEY = "onnxc-theme";
const ORDER = ["auto", "light", "dark"];
const WORDS: Record<string, string> = { auto: "Theme: as the system", light: "Theme: light", dark: "Theme: dark" };
const system = matchMedia("(prefers-color-scheme: dark)");

let chosen = "auto";

function isDark(): boolean {
  return chosen === "dark" || (chosen === "auto" && system.matches);
}

/** Returns the colours of the picture in the current theme. */
export function colours(): Palette {
  return palette(isDark());
}

function remembered(): string {
  try {
    return localStorage.getItem(KEY) ?? "auto";
  } catch {
    return "auto"; // the browser forbids storage
  }
}

/** Sets the theme, and calls `changed` whenever the theme changes. */
export function startTheme(changed: () => void): void {
  const apply = (): void => {
    const root = document.documentElement;
    root.dataset.theme = chosen;
    for (const [name, colour] of Object.entries(colours())) root.style.setProperty(`--picture-${name}`, colour);
    element("theme").textContent = WORDS[chosen];
    changed();
  };
  chosen = ORDER.includes(remembered()) ? remembered() : "auto";
  system.addEventListener("change", apply);
  element("theme").addEventListener("click", () => {
    chosen = ORDER[(ORDER.indexOf(chosen) + 1) % ORDER.length];
    try {
      localStorage.setItem(KEY, chosen);
    } catch {
      // The choice is not stored; it is valid until the page is closed.
    }
    apply();
  });
  apply();
}
