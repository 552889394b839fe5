// The colours of pictures in a light and a dark theme. They are those of the VS Code extension; the page adds its own
// background ("paper") and text colour ("ink"). The legend in index.html gets them as custom CSS properties.
import css from "../../editors/vscode/media/picture.css";

const SHARED = [
  "op", "op-line", "input", "input-line", "output", "output-line", "weight", "weight-line", "frame", "frame-line", "unknown", "quiet",
  "added", "changed", "marked", "found",
] as const;
export type Palette = Record<(typeof SHARED)[number] | "paper" | "ink", string>;

/** The colours of a rule of the style sheet. */
function paletteOf(rule: string, paper: string, ink: string): Palette {
  const colour = (name: string): string => {
    const found = new RegExp(`--${name}: (#\\w+);`).exec(rule);
    if (found === null) throw new Error(`picture.css has no colour '${name}'`);
    return found[1];
  };
  return { ...(Object.fromEntries(SHARED.map((name) => [name, colour(name)])) as Palette), paper, ink };
}

const [light, dark] = css.split("}"); // its first two rules
const LIGHT = paletteOf(light, "#ffffff", "#1f2328");
const DARK = paletteOf(dark, "#16191d", "#e6edf3");

export function palette(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}
