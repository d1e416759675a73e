// Errors with a message for users.

/** An error with a message for users. */
export class UserError extends Error {}

/** True if an operation was aborted. */
export function isAbortError(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}
