// A worker that runs the package in Pyodide and answers operations as the server of `serve` does.

import type { loadPyodide } from "pyodide";

/** An operation with its fields as JSON. */
export interface Request {
  name: string;
  body: string;
}

/** The worker is ready; a line of an answer, or its last one; a failure to start. */
export interface Line {
  kind: "ready" | "line" | "last" | "fault";
  text: string;
}

type Answer = (name: string, body: string, emit: (line: string, ends: boolean) => void) => void;

const FOLDER = "/python";
const SIGINT = 2;

async function start(): Promise<Answer> {
  const [module, packages] = await Promise.all([
    import(place("pyodide/pyodide.mjs")) as Promise<{ loadPyodide: typeof loadPyodide }>,
    bytes(place("python.zip")),
  ]);
  const python = await module.loadPyodide();
  python.unpackArchive(packages, "zip", { extractDir: FOLDER });
  python.runPython(`import sys; sys.path.insert(0, "${FOLDER}")`);
  const alarm = new Alarm();
  python.setInterruptBuffer(alarm as unknown as Uint8Array);
  const begin = python.pyimport("boot").start as (set: (seconds: number) => void) => Answer;
  return begin((seconds) => alarm.set(seconds));
}

/** The buffer in which Python looks for a signal now and then: it holds one when time is up. */
class Alarm {
  private at = Infinity;

  set(seconds: number): void {
    this.at = seconds < 0 ? Infinity : performance.now() + 1000 * seconds;
  }

  get 0(): number {
    if (performance.now() < this.at) return 0;
    this.at = Infinity;
    return SIGINT;
  }

  /** Python clears the signal that it has read. */
  set 0(_: number) {}
}

/** The address of a file next to this one. */
function place(name: string): string {
  return new URL(name, import.meta.url).href;
}

async function bytes(address: string): Promise<ArrayBuffer> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`status ${answer.status} of ${address}`);
  return answer.arrayBuffer();
}

function tell(kind: Line["kind"], text = ""): void {
  postMessage({ kind, text } satisfies Line);
}

const starting = start();
starting.then(
  () => tell("ready"),
  (error: unknown) => tell("fault", `the engine could not be loaded: ${(error as Error).message}`),
);
addEventListener("message", ({ data: { name, body } }: MessageEvent<Request>) => {
  starting
    .then((answer) => answer(name, body, (line, ends) => tell(ends ? "last" : "line", line.trim())))
    .catch((error: unknown) => tell("fault", `the engine has stopped: ${(error as Error).message}`));
});
