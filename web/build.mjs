// Makes the files that the package hands out: two scripts, one of them (the editor) loaded when it
// is wanted, a style sheet and the page. `sources.sha256` says from which sources they were made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../rulesengine/serving/assets";
const LISTED = ["build.mjs", "package-lock.json"];

mkdirSync(OUT, { recursive: true });
const { errors } = await build({
  entryPoints: ["src/main.ts", "src/editor.ts", "src/style.css", "src/index.html", "src/icon.svg"],
  outdir: OUT,
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  external: ["./editor.js"],
  loader: { ".html": "copy", ".svg": "copy" },
  entryNames: "[name]",
});
if (errors.length) process.exit(1);

const hash = createHash("sha256");
const sources = readdirSync("src").map((name) => `src/${name}`);
for (const name of [...LISTED, ...sources].sort()) {
  hash.update(`${name}\n`).update(readFileSync(name));
}
writeFileSync(`${OUT}/sources.sha256`, `${hash.digest("hex")}\n`);
