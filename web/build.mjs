// Build the assets of the package: the page with its style sheet, its script and the editor, which
// is loaded on first use; two scripts for the site without a server; and the script and the style
// sheet of exported files. `sources.sha256` is the hash of the sources.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../rulesengine/server/web/assets";
const HASHED = ["build.mjs", "package-lock.json"];

mkdirSync(OUT, { recursive: true });
const options = {
  outdir: OUT,
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  entryNames: "[name]",
};
const { metafile } = await build({
  ...options,
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
  ...options,
  entryPoints: ["src/standalone/exported.ts", "src/standalone/exported.css"],
  format: "iife",
});

// Collect the licences of the bundled packages.
const packagePath = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//;
const packages = Object.keys(metafile.inputs).flatMap((path) => packagePath.exec(path)?.[1] ?? []);
if (!packages.length) throw new Error("no package in node_modules: run `npm ci` here, without a link");
const licences = [...new Set(packages)].sort().map((name) => {
  return `${name}\n\n${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()}\n`;
});
writeFileSync(`${OUT}/licences.txt`, licences.join("\n\n"));

const hash = createHash("sha256");
const sources = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
for (const name of [...HASHED, ...sources].sort()) {
  hash.update(`${name}\n`).update(readFileSync(name));
}
writeFileSync(`${OUT}/sources.sha256`, `${hash.digest("hex")}\n`);
