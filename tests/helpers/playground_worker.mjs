// Runs the worker of the playground in Node: requests as JSON on standard input, one answer each.

import { readFileSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";

const requests = JSON.parse(readFileSync(0, "utf8"));
const answers = [];
let lines = [];
let receive;

globalThis.fetch = async (address) => new Response(readFileSync(fileURLToPath(address)));
globalThis.addEventListener = (_, listener) => (receive = listener);
globalThis.postMessage = ({ kind, text }) => {
  if (kind === "error") throw new Error(text);
  if (kind === "line") lines.push(JSON.parse(text));
  if (kind === "last") {
    answers.push(text ? [...lines, JSON.parse(text)] : lines);
    lines = [];
  }
  if (kind === "line") return;
  const request = requests[answers.length];
  if (request) receive({ data: { name: request.name, body: JSON.stringify(request.body) } });
  else console.log(JSON.stringify(answers));
};

await import(pathToFileURL(`${process.argv[2]}/worker.js`).href);
