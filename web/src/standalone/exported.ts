// The script of an exported file: it runs as the page, and in a worker as the engine.

import { el, fill } from "../dom";
import { reportError } from "../notices";
import { Session } from "../session";
import { localChannel, openWorker, serveWorker } from "./channels";
import { EngineClient } from "./engine";
import { Page } from "./page";

function elementText(id: string): string {
  return document.getElementById(id)!.textContent!;
}

/** Return an engine that has loaded the game: in a worker if possible, else in the page. */
async function openEngine(): Promise<EngineClient> {
  const client = new EngineClient((await openWorker(elementText("script"))) ?? localChannel());
  await client.open(elementText("game"), elementText("kernels"));
  return client;
}

async function start(): Promise<void> {
  const main = document.getElementById("main")!;
  const rules = document.getElementById("rules")!;
  const engine = await openEngine();
  const record = { spec: { name: document.title }, parameters: {}, moves: [] };
  const session = new Session(record, ({ moves }) => engine.position(moves));
  const page = new Page(session, engine, rules);
  fill(main, page.element);
  document.addEventListener("keydown", (event) => page.onKeydown(event));
  await session.refresh();
}

function showFailure(error: unknown): void {
  reportError(error);
  const message = "This browser cannot play the game: it needs WebAssembly.";
  fill(document.getElementById("main")!, el("p", { class: "lost" }, message));
}

if (typeof document === "undefined") serveWorker();
else start().catch(showFailure);
