// Requests to the server, or to the local engine of a static page. Errors have a message for users.

import { IS_STATIC, localEngine } from "./backend";
import { isAbortError, UserError } from "./errors";
import type { Catalogue, Finding, GameEntry } from "./protocol";

const RETRY_DELAYS = [300, 900]; // milliseconds before retries after a lost connection
const MAX_RETRIES = 2; // after a status that says that the server is busy or has failed

/** An error response, or a lost connection. */
export class ApiError extends UserError {
  constructor(
    message: string,
    readonly kind: string,
    readonly findings: Finding[] = [],
  ) {
    super(message);
  }
}

/** Send an operation and return its response. */
export async function request<T>(operation: string, body: object, signal?: AbortSignal): Promise<T> {
  if (IS_STATIC) return unwrap<T>(JSON.parse(await (await localEngine()).request(operation, body, signal)));
  return (await (await post(operation, body, signal)).json()) as T;
}

/** Send an operation with a streamed response and call a function with each line as it arrives. */
export async function requestStream<T>(
  operation: string,
  body: object,
  onLine: (response: T) => void,
  signal: AbortSignal,
): Promise<void> {
  if (IS_STATIC) return streamFromEngine(operation, body, onLine, signal);
  const { body: stream } = await post(operation, body, signal);
  if (!stream) return;
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    const lines = (rest + step.value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line) onLine(unwrap<T>(JSON.parse(line)));
  }
  if (rest) onLine(unwrap<T>(JSON.parse(rest)));
}

async function streamFromEngine<T>(
  operation: string,
  body: object,
  onLine: (response: T) => void,
  signal: AbortSignal,
): Promise<void> {
  const engine = await localEngine();
  const receive = (line: string) => onLine(unwrap<T>(JSON.parse(line)));
  const last = await engine.request(operation, body, signal, receive);
  if (last) unwrap(JSON.parse(last));
}

export async function fetchCatalogue(): Promise<Catalogue> {
  return (await (await fetchWithRetries(IS_STATIC ? "games.json" : "api/games")).json()) as Catalogue;
}

/** Fetch the text of a bundled spec. */
export async function fetchSpec(name: string): Promise<string> {
  const file = encodeURIComponent(name);
  if (IS_STATIC) return (await fetchWithRetries(`specs/${file}.yaml`)).text();
  return ((await (await fetchWithRetries(`api/games/${file}`)).json()) as GameEntry).text;
}

/** Return the URL of a game's picture. */
export function pictureUrl(name: string): string {
  return `${IS_STATIC ? "../gallery" : "api/pictures"}/${encodeURIComponent(name)}.svg`;
}

async function post(operation: string, body: object, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  };
  if (signal) init.signal = signal;
  return fetchWithRetries(`api/${operation}`, init);
}

async function fetchWithRetries(url: string, init?: RequestInit): Promise<Response> {
  for (let attempt = 0; ; attempt += 1) {
    const response = await fetchOrReconnect(url, init);
    if (response.ok) return response;
    if (attempt >= MAX_RETRIES || ![500, 503].includes(response.status)) throw await readError(response);
    const seconds = Number(response.headers.get("Retry-After") ?? 0);
    await new Promise((resolve) => setTimeout(resolve, Math.min(seconds, 5) * 1000));
  }
}

/** Fetch a URL; send the request again after a lost connection. */
async function fetchOrReconnect(url: string, init?: RequestInit): Promise<Response> {
  for (const pause of [...RETRY_DELAYS, null]) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (isAbortError(error)) throw error;
      if (pause === null) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
  throw new ApiError("The server does not respond: is it still running?", "network");
}

async function readError(response: Response): Promise<ApiError> {
  try {
    return toApiError((await response.json()).error);
  } catch {
    return new ApiError(`The server responded with status ${response.status}.`, "failed");
  }
}

function unwrap<T>(response: { error?: { kind: string; message: string } }): T {
  if (response.error) throw toApiError(response.error);
  return response as T;
}

function toApiError(error: { kind: string; message: string; findings?: Finding[] }): ApiError {
  return new ApiError(error.message, error.kind, error.findings);
}
