// Texts to and from files and the clipboard.

import { notify, announce, runAsync } from "./notices";

/** Hands a text to the reader as a file. */
export function download(name: string, text: string, type = "text/plain"): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address));
}

/** Puts a text on the clipboard and says so. */
export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} is on the clipboard.`);
  } catch {
    notify(`This browser does not let the page copy: download the file instead.`);
  }
}

/** The text of a file: in UTF-8, else each byte as a character, as in Latin-1. */
export async function textOf(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Opens texts that are dropped on the page or pasted outside of fields, while a button shows. */
export function receiveTexts(
  shown: HTMLElement,
  act: (text: string) => Promise<void>,
  signal: AbortSignal,
): void {
  const handlers: [string, (event: Event) => void][] = [
    ["dragover", (event) => hasFiles(event as DragEvent) && event.preventDefault()],
    ["drop", (event) => dropped(event as DragEvent, act)],
    ["paste", (event) => pasted(event as ClipboardEvent, act)],
  ];
  for (const [name, handle] of handlers) {
    const listen = (event: Event): void => {
      if (shown.offsetParent !== null && !isInField(event.target)) handle(event);
    };
    document.addEventListener(name, listen, { signal });
  }
}

const FIELDS = "input, textarea, select, [contenteditable]";

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

function hasFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function dropped(event: DragEvent, act: (text: string) => Promise<void>): void {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  runAsync(async () => act(await textOf(file)));
}

function pasted(event: ClipboardEvent, act: (text: string) => Promise<void>): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!text.trim()) return;
  event.preventDefault();
  runAsync(() => act(text));
}

/** Asks for a file and hands on its text. */
export function openText(kinds: string, act: (text: string) => Promise<void>): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds;
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) runAsync(async () => act(await textOf(file)));
  });
  input.click();
  announce("Choose a file");
}
