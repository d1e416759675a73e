// Requests to the server, or to the engine of a page without one; what goes wrong comes as a
// sentence for people.

import { IS_STATIC, localEngine } from "./backend";
import { Fault, isAborted } from "./faults";
import type { Catalogue, Finding, GameEntry } from "./protocol";

const PAUSES = [300, 900]; // milliseconds until a request is sent again after a lost connection
const PATIENCE = 2; // how often a request is sent again where the server was busy or had a failure

/** What the server refuses, or that it does not answer. */
export class ApiError extends Fault {
  constructor(
    message: string,
    readonly kind: string,
    readonly findings: Finding[] = [],
  ) {
    super(message);
  }
}

/** The answer to an operation. */
export async function ask<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
  if (IS_STATIC) return checked<T>(JSON.parse(await (await localEngine()).send(operation, body, signal)));
  return (await (await sent(operation, body, signal)).json()) as T;
}

/** The answers of an operation that answers line by line, each as it comes. */
export async function follow<T>(
  operation: string,
  body: object,
  each: (answer: T) => void,
  signal: AbortSignal,
): Promise<void> {
  if (IS_STATIC) return followLocally(operation, body, each, signal);
  const { body: stream } = await sent(operation, body, signal);
  if (!stream) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const lines = (rest + step.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) each(checked<T>(JSON.parse(line)));
  }
  if (rest) each(checked<T>(JSON.parse(rest)));
}

async function followLocally<T>(
  operation: string,
  body: object,
  each: (answer: T) => void,
  signal: AbortSignal,
): Promise<void> {
  const engine = await localEngine();
  const take = (line: string) => each(checked<T>(JSON.parse(line)));
  const last = await engine.send(operation, body, signal, take);
  if (last) checked(JSON.parse(last));
}

export async function catalogue(): Promise<Catalogue> {
  return (await (await answered(IS_STATIC ? "games.json" : "api/games")).json()) as Catalogue;
}

/** The text of a bundled spec. */
export async function specText(name: string): Promise<string> {
  const file = encodeURIComponent(name);
  if (IS_STATIC) return (await answered(`specs/${file}.yaml`)).text();
  return ((await (await answered(`api/games/${file}`)).json()) as GameEntry).text;
}

/** The address of a game's picture. */
export function pictureAddress(name: string): string {
  return `${IS_STATIC ? "../gallery" : "api/pictures"}/${encodeURIComponent(name)}.svg`;
}

async function sent(operation: string, body: object, signal?: AbortSignal): Promise<Response> {
  const request: RequestInit = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  if (signal) request.signal = signal;
  return answered(`api/${operation}`, request);
}

async function answered(address: string, request?: RequestInit): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const answer = await fetched(address, request);
    if (answer.ok) return answer;
    if (tries >= PATIENCE || ![500, 503].includes(answer.status)) throw await refused(answer);
    const seconds = Number(answer.headers.get("Retry-After") ?? 0);
    await new Promise((done) => setTimeout(done, Math.min(seconds, 5) * 1000));
  }
}

/** The answer of the server; a request that a lost connection interrupts is sent again. */
async function fetched(address: string, request?: RequestInit): Promise<Response> {
  for (const pause of [...PAUSES, null]) {
    try {
      return await fetch(address, request);
    } catch (error) {
      if (isAborted(error)) throw error;
      if (pause === null) break;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  throw new ApiError("The server does not answer: is it still running?", "network");
}

async function refused(answer: Response): Promise<ApiError> {
  try {
    return told((await answer.json()).error);
  } catch {
    return new ApiError(`The server answers with status ${answer.status}.`, "failed");
  }
}

function checked<T>(answer: { error?: { kind: string; message: string } }): T {
  if (answer.error) throw told(answer.error);
  return answer as T;
}

function told(error: { kind: string; message: string; findings?: Finding[] }): ApiError {
  return new ApiError(error.message, error.kind, error.findings);
}
