// The engine in the page, for a site of static files; the page of `serve` has a server instead.

/** An engine that runs operations without a server; errors are responses, as those of a server. */
export interface LocalEngine {
  /** Run an operation and return the last line of its response; `onLine` gets the earlier lines. */
  request(
    operation: string,
    body: object,
    signal?: AbortSignal,
    onLine?: (line: string) => void,
  ): Promise<string>;
}

/** True on a page of static files. */
export const IS_STATIC = document.documentElement.dataset.engine === "local";

let engine: Promise<LocalEngine> | null = null;

/** Return the engine, which is loaded on first use; after a failure a later call tries again. */
export function localEngine(): Promise<LocalEngine> {
  engine ??= import("./local.js")
    .then(({ createEngine }: { createEngine: () => LocalEngine }) => createEngine())
    .catch((error: unknown) => {
      engine = null;
      throw error;
    });
  return engine;
}
