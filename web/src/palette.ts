// The colours of pictures, in a light and a dark theme. The legend in index.html gets them as custom CSS properties.
export interface Palette {
  [name: string]: string;
}

const LIGHT: Palette = {
  paper: "#ffffff", ink: "#1f2328", quiet: "#44515d", line: "#5b7083", frame: "#f6f8fa", "frame-line": "#9aa9b7",
  op: "#e8eef4", "op-line": "#5b7083", input: "#dff0d8", "input-line": "#4f7d3f", output: "#fbe9d0", "output-line": "#9a6a22",
  weight: "#f4f4f4", "weight-line": "#777777", unknown: "#ffffff", "unknown-line": "#b03030",
  added: "#1a7f37", changed: "#9a6700", marked: "#0969da", found: "#ffdf5d",
};

const DARK: Palette = {
  paper: "#16191d", ink: "#e6edf3", quiet: "#b4c2cf", line: "#8aa4bb", frame: "#1d2228", "frame-line": "#6b7f91",
  op: "#2b3a48", "op-line": "#8aa4bb", input: "#24381f", "input-line": "#8fc27a", output: "#45341a", "output-line": "#dfae68",
  weight: "#333333", "weight-line": "#999999", unknown: "#16191d", "unknown-line": "#ff8f8f",
  added: "#3fb950", changed: "#e3b341", marked: "#58a6ff", found: "#7a5c00",
};

export function palette(isDark: boolean): Palette {
  return isDark ? DARK : LIGHT;
}
