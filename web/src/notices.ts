// Short notices, and announcements for screen readers.

import { button, el } from "./dom";
import { isAbortError, UserError } from "./errors";

const NOTICE_TIME = 10_000; // milliseconds

/** Show a message until it is dismissed, or for ten seconds. */
export function notify(message: string): void {
  const notice: HTMLElement = el(
    "div",
    { class: "notice" },
    el("span", {}, message),
    button("Dismiss", () => notice.remove(), { class: "quiet" }),
  );
  const container = document.getElementById("notices")!;
  container.replaceChildren(notice);
  setTimeout(() => notice.remove(), NOTICE_TIME);
}

/** Announce a message to screen readers. */
export function announce(message: string): void {
  document.getElementById("announcements")!.textContent = message;
}

/** Show an error to the user; aborted operations are no errors. */
export function reportError(error: unknown): void {
  if (isAbortError(error)) return;
  if (error instanceof UserError) notify(error.message);
  else {
    notify("An error occurred in this page. Reload it to continue the game.");
    console.error(error);
  }
}

/** Run an asynchronous task and show its error, if any. */
export function runAsync(task: () => Promise<void>): void {
  task().catch(reportError);
}
