// Makes the files that the package hands out: two scripts, one of them (the editor) loaded when it
// is wanted, a style sheet and the page; two more scripts for the page without a server (website);
// and what `export` puts into a file of its own.
// `sources.sha256` says from which sources they were made.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../rulesengine/server/web/assets";
const LISTED = ["build.mjs", "package-lock.json"];

mkdirSync(OUT, { recursive: true });
const usual = {
  outdir: OUT,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  entryNames: "[name]",
};
const { metafile } = await build({
  ...usual,
  entryPoints: [
    "src/main.ts",
    "src/editor.ts",
    "src/local.ts",
    "src/worker.ts",
    "src/style.css",
    "src/index.html",
    "src/icon.svg",
  ],
  format: "esm",
  external: ["./editor.js", "./local.js"],
  loader: { ".html": "copy", ".svg": "copy", ".yaml": "text" },
  metafile: true,
});
await build({
  ...usual,
  entryPoints: ["src/standalone/exported.ts", "src/standalone/exported.css"],
  format: "iife",
});

// The licences of what the editor is made of go where it goes.
const within = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const used = Object.keys(metafile.inputs).flatMap((path) => within.exec(path)?.[1] ?? []);
if (!used.length) throw new Error("no package in node_modules: run `npm ci` here, without a link");
const licences = [...new Set(used)].sort().map((name) => {
  return `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/licences.txt`, licences.join("\n\n"));

const hash = createHash("sha256");
const sources = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
for (const name of [...LISTED, ...sources].sort()) {
  hash.update(`${name}\n`).update(readFileSync(name));
}
writeFileSync(`${OUT}/sources.sha256`, `${hash.digest("hex")}\n`);
