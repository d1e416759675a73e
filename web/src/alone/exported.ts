// The script of a file that plays one game, with nobody to ask: the page, and in a worker the rules.

import { el, fill } from "../dom";
import { complain } from "../notices";
import { Session } from "../session";
import { Remote } from "./engine";
import { Play } from "./play";
import { here, serve, worker } from "./posts";

function text(id: string): string {
  return document.getElementById(id)!.textContent!;
}

/** An engine that is ready: in a worker, else in the page. */
async function engine(): Promise<Remote> {
  const found = new Remote((await worker(text("script"))) ?? here());
  await found.open(text("game"), text("kernels"));
  return found;
}

async function begin(): Promise<void> {
  const main = document.getElementById("main")!;
  const rules = document.getElementById("rules")!;
  const found = await engine();
  const record = { spec: { name: document.title }, parameters: {}, moves: [] };
  const session = new Session(record, ({ moves }) => found.look(moves));
  const play = new Play(session, found, rules);
  fill(main, play.element);
  document.addEventListener("keydown", (event) => play.pressed(event));
  await session.refresh();
}

function failed(error: unknown): void {
  complain(error);
  const said = "This browser cannot play the game: it needs WebAssembly.";
  fill(document.getElementById("main")!, el("p", { class: "lost" }, said));
}

if (typeof document === "undefined") serve();
else begin().catch(failed);
