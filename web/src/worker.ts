// A worker that runs the Python package in Pyodide, with the operations of the server of `serve`.

import type { loadPyodide } from "pyodide";

/** An operation, with its fields as JSON. */
export interface Request {
  name: string;
  body: string;
}

/** A message of the worker: it is ready, a line or the last line of a response, or a failure. */
export interface WorkerMessage {
  kind: "ready" | "line" | "last" | "error";
  text: string;
}

type Respond = (name: string, body: string, emit: (line: string, ends: boolean) => void) => void;

const PACKAGE_FOLDER = "/python";
const SIGINT = 2;

async function load(): Promise<Respond> {
  const [module, packages] = await Promise.all([
    import(urlOf("pyodide/pyodide.mjs")) as Promise<{ loadPyodide: typeof loadPyodide }>,
    fetchBytes(urlOf("python.zip")),
  ]);
  const python = await module.loadPyodide();
  python.unpackArchive(packages, "zip", { extractDir: PACKAGE_FOLDER });
  python.runPython(`import sys; sys.path.insert(0, "${PACKAGE_FOLDER}")`);
  const limit = new TimeLimit();
  python.setInterruptBuffer(limit as unknown as Uint8Array);
  const start = python.pyimport("boot").start as (set: (seconds: number) => void) => Respond;
  return start((seconds) => limit.set(seconds));
}

/** An interrupt buffer that Python polls for a signal; it has one after the deadline. */
class TimeLimit {
  private deadline = Infinity;

  set(seconds: number): void {
    this.deadline = seconds < 0 ? Infinity : performance.now() + 1000 * seconds;
  }

  get 0(): number {
    if (performance.now() < this.deadline) return 0;
    this.deadline = Infinity;
    return SIGINT;
  }

  /** Ignore that Python clears the signal after reading it. */
  set 0(_: number) {}
}

/** Return the URL of a file in the folder of this one. */
function urlOf(name: string): string {
  return new URL(name, import.meta.url).href;
}

async function fetchBytes(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`status ${response.status} of ${url}`);
  return response.arrayBuffer();
}

function send(kind: WorkerMessage["kind"], text = ""): void {
  postMessage({ kind, text } satisfies WorkerMessage);
}

const ready = load();
ready.then(
  () => send("ready"),
  (error: unknown) => send("error", `the engine could not be loaded: ${(error as Error).message}`),
);
addEventListener("message", ({ data: { name, body } }: MessageEvent<Request>) => {
  ready
    .then((respond) => respond(name, body, (line, ends) => send(ends ? "last" : "line", line.trim())))
    .catch((error: unknown) => send("error", `the engine has stopped: ${(error as Error).message}`));
});
