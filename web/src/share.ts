// A game as a link: a version byte and compressed JSON, in base64url.

import { UserError } from "./errors";
import type { LinkedGame } from "./protocol";

const VERSION = 1;
const MAX_LENGTH = 1_000_000; // bytes of a decompressed record; a link cannot fill the memory

/** An invalid link, with a message for users. */
export class LinkError extends UserError {}

/** Encode a game for the fragment of a URL. */
export async function toFragment(record: LinkedGame): Promise<string> {
  const compressed = await pipe(
    new TextEncoder().encode(JSON.stringify(record)),
    new CompressionStream("deflate-raw"),
  );
  return base64url(new Uint8Array([VERSION, ...compressed]));
}

/** Decode the game of a link; throw LinkError if it is damaged or of a later version. */
export async function fromFragment(text: string): Promise<LinkedGame> {
  const bytes = fromBase64url(text);
  const version = bytes[0];
  if (version === undefined) throw new LinkError("This link contains no game.");
  if (version > VERSION && version < 32) {
    throw new LinkError("This link was made by a later version of the page: please update.");
  }
  if (version !== VERSION) throw damagedLink();
  let value: unknown;
  try {
    const decompressed = await pipe(bytes.subarray(1), new DecompressionStream("deflate-raw"));
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(decompressed));
  } catch {
    throw damagedLink();
  }
  return toLinkedGame(value);
}

/** Decode the name of a bundled game in a URL; throw LinkError if it is damaged. */
export function decodeName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw damagedLink();
  }
}

function damagedLink(): LinkError {
  return new LinkError("This link is damaged: a part is missing or was changed.");
}

/** Validate the contents of a link; throw LinkError if a field is missing or invalid. */
function toLinkedGame(value: unknown): LinkedGame {
  if (typeof value !== "object" || value === null) throw damagedLink();
  const fields = value as Record<string, unknown>;
  const { spec, parameters, moves, with: transforms = [], setup = {}, settled } = fields;
  const isSpec =
    typeof spec === "object" &&
    spec !== null &&
    Object.entries(spec).length === 1 &&
    Object.entries(spec).every(([k, v]) => ["name", "text"].includes(k) && typeof v === "string");
  const isMoves = Array.isArray(moves) && moves.every((move) => typeof move === "string");
  const isParameters =
    typeof parameters === "object" &&
    parameters !== null &&
    Object.values(parameters).every((v) => ["string", "number", "boolean"].includes(typeof v));
  const isWith = Array.isArray(transforms) && transforms.every(isTransform);
  const isSetupValid = isSetup(setup) && (settled === undefined || isSettlement(settled));
  if (!isSpec || !isMoves || !isParameters || !isWith || !isSetupValid) throw damagedLink();
  return value as LinkedGame;
}

function isTransform(value: unknown): boolean {
  return typeof value === "string" || (typeof value === "object" && value !== null);
}

function isSetup(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { players = {}, clock = "", flipped = false } = value as Record<string, unknown>;
  const isPlayers =
    typeof players === "object" &&
    players !== null &&
    Object.values(players).every((one) => typeof one === "string");
  return isPlayers && typeof clock === "string" && typeof flipped === "boolean";
}

function isSettlement(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { kind, player = "" } = value as Record<string, unknown>;
  return ["resigned", "agreed", "time"].includes(String(kind)) && typeof player === "string";
}

async function pipe(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    parts.push(step.value);
    length += step.value.length;
    if (length > MAX_LENGTH) throw damagedLink();
  }
  const whole = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  let binary: string;
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw damagedLink();
  }
  return Uint8Array.from(binary, (letter) => letter.charCodeAt(0));
}
