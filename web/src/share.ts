// A game as a link: JSON, deflated, in base64url, behind a byte that tells the version.

import { Fault } from "./faults";
import type { LinkedGame } from "./protocol";

const VERSION = 1;
const LONGEST = 1_000_000; // characters of a record, so that no link fills the memory

/** What is wrong with a link, as a sentence. */
export class LinkError extends Fault {}

export async function toFragment(record: LinkedGame): Promise<string> {
  const packed = await through(
    new TextEncoder().encode(JSON.stringify(record)),
    new CompressionStream("deflate-raw"),
  );
  return base64url(new Uint8Array([VERSION, ...packed]));
}

/** The record of a link; raises LinkError where it is damaged or of a later version. */
export async function fromFragment(text: string): Promise<LinkedGame> {
  const bytes = fromBase64url(text);
  const version = bytes[0];
  if (version === undefined) throw new LinkError("This link holds no game.");
  if (version > VERSION && version < 32) {
    throw new LinkError("This link was made by a later version of the page: please update.");
  }
  if (version !== VERSION) throw damaged();
  let found: unknown;
  try {
    const plain = await through(bytes.subarray(1), new DecompressionStream("deflate-raw"));
    found = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
  } catch {
    throw damaged();
  }
  return asRecord(found);
}

/** The name of a bundled game as an address has it; raises LinkError where that is damaged. */
export function plainName(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw damaged();
  }
}

function damaged(): LinkError {
  return new LinkError("This link is damaged: some of it is missing or was changed.");
}

/** A record, if a value has its form. */
function asRecord(value: unknown): LinkedGame {
  if (typeof value !== "object" || value === null) throw damaged();
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
  const isAgreed = isSetup(setup) && (settled === undefined || isSettlement(settled));
  if (!isSpec || !isMoves || !isParameters || !isWith || !isAgreed) throw damaged();
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

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader();
  const parts: Uint8Array[] = [];
  let length = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    parts.push(step.value);
    length += step.value.length;
    if (length > LONGEST) throw damaged();
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
  let plain: string;
  try {
    plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw damaged();
  }
  return Uint8Array.from(plain, (letter) => letter.charCodeAt(0));
}
