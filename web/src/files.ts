// Reading and writing of texts: files and the clipboard.

import { announce, notify, runAsync } from "./notices";

/** Download a text as a file. */
export function download(name: string, text: string, type = "text/plain"): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}

/** Copy a text to the clipboard and notify the user. */
export async function copy(text: string, subject: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${subject} is on the clipboard.`);
  } catch {
    notify("This browser does not allow the page to copy: download the file instead.");
  }
}

/** Decode a file as UTF-8, or as Latin-1 if it is not valid UTF-8. */
export async function readText(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  }
}

/** Accept texts that are dropped on the page or pasted outside fields, while a button is visible. */
export function acceptTexts(
  button: HTMLElement,
  onText: (text: string) => Promise<void>,
  signal: AbortSignal,
): void {
  const handlers: [string, (event: Event) => void][] = [
    ["dragover", (event) => containsFiles(event as DragEvent) && event.preventDefault()],
    ["drop", (event) => onDrop(event as DragEvent, onText)],
    ["paste", (event) => onPaste(event as ClipboardEvent, onText)],
  ];
  for (const [name, handle] of handlers) {
    const listen = (event: Event): void => {
      if (button.offsetParent !== null && !isInField(event.target)) handle(event);
    };
    document.addEventListener(name, listen, { signal });
  }
}

const FIELDS = "input, textarea, select, [contenteditable]";

function isInField(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(FIELDS) !== null;
}

function containsFiles(event: DragEvent): boolean {
  return event.dataTransfer?.types.includes("Files") ?? false;
}

function onDrop(event: DragEvent, onText: (text: string) => Promise<void>): void {
  const [file] = event.dataTransfer?.files ?? [];
  if (!file) return;
  event.preventDefault();
  runAsync(async () => onText(await readText(file)));
}

function onPaste(event: ClipboardEvent, onText: (text: string) => Promise<void>): void {
  const text = event.clipboardData?.getData("text/plain") ?? "";
  if (!text.trim()) return;
  event.preventDefault();
  runAsync(() => onText(text));
}

/** Open a file dialog and read the selected file. */
export function openFile(suffixes: string, onText: (text: string) => Promise<void>): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = suffixes;
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) runAsync(async () => onText(await readText(file)));
  });
  input.click();
  announce("Choose a file");
}
