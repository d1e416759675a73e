// Texts to and from files and the clipboard.

import { notify, say, tryTo } from "./notices";

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

/** Asks for a file and hands on its text. */
export function openText(kinds: string, act: (text: string) => Promise<void>): void {
  const input = document.createElement("input");
  input.type = "file";
  input.accept = kinds;
  input.addEventListener("change", () => {
    const [file] = input.files ?? [];
    if (file) tryTo(async () => act(await file.text()));
  });
  input.click();
  say("Choose a file");
}
