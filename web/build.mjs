// Makes the files that the package hands out: two scripts, one of them (the editor) loaded when it
// is wanted, a style sheet and the page. `sources.sha256` says from which sources they were made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../rulesengine/serving/assets";
const LISTED = ["build.mjs", "package-lock.json"];

mkdirSync(OUT, { recursive: true });
const { errors, metafile } = await build({
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
  metafile: true,
});
if (errors.length) process.exit(1);

// The licences of what the editor is made of go where it goes.
const within = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const used = Object.keys(metafile.inputs).flatMap((path) => within.exec(path)?.[1] ?? []);
const licences = [...new Set(used)].sort().map((name) => {
  return `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/licences.txt`, licences.join("\n\n"));

const hash = createHash("sha256");
const sources = readdirSync("src").map((name) => `src/${name}`);
for (const name of [...LISTED, ...sources].sort()) {
  hash.update(`${name}\n`).update(readFileSync(name));
}
writeFileSync(`${OUT}/sources.sha256`, `${hash.digest("hex")}\n`);
