// Builds the files of the extension: dist/extension.js, and dist/layout.js, which runs in a separate thread.
import { build } from "esbuild";

await build({
  entryPoints: ["src/extension.ts", "src/layout.ts"],
  outdir: "dist",
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  external: ["vscode"],
  minify: true,
  legalComments: "none",
});
