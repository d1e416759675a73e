// What goes wrong.

/** What went wrong, as a sentence for people. */
export class Fault extends Error {}

/** Whether something ended because the page no longer wanted it. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
