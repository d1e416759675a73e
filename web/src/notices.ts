// What is said to everybody: short notices, and a region that screen readers speak.

import { button, el } from "./dom";
import { Fault, isAborted } from "./faults";

const SHOWN = 10_000; // milliseconds

/** Shows a sentence until it is dismissed, or for a while. */
export function notify(message: string): void {
  const notice: HTMLElement = el(
    "div",
    { class: "notice" },
    el("span", {}, message),
    button("Dismiss", () => notice.remove(), { class: "quiet" }),
  );
  const place = document.getElementById("notices")!;
  place.replaceChildren(notice);
  setTimeout(() => notice.remove(), SHOWN);
}

/** Says to screen readers what has happened. */
export function say(message: string): void {
  document.getElementById("said")!.textContent = message;
}

/** Tells what went wrong; an answer that is no longer wanted is nothing wrong. */
export function complain(error: unknown): void {
  if (isAborted(error)) return;
  if (error instanceof Fault) notify(error.message);
  else {
    notify("Something went wrong in this page. Reloading it keeps the game.");
    console.error(error);
  }
}

/** Runs what may fail later, and tells if it does. */
export function tryTo(work: () => Promise<void>): void {
  work().catch(complain);
}
