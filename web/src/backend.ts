// The engine in the page, for a page of static files; the page of `serve` has a server instead.

/** Answers operations without a server; errors are answers, as those of a server. */
export interface LocalEngine {
  /** The last line of the answer; `each` gets the lines before it. */
  send(
    operation: string,
    body: object,
    signal?: AbortSignal,
    each?: (line: string) => void,
  ): Promise<string>;
}

/** True on a page of static files. */
export const IS_STATIC = document.documentElement.dataset.engine === "local";

let engine: Promise<LocalEngine> | null = null;

/** The engine, loaded when it is first needed; a failure is not remembered. */
export function localEngine(): Promise<LocalEngine> {
  engine ??= import("./local.js")
    .then(({ makeEngine }: { makeEngine: () => LocalEngine }) => makeEngine())
    .catch((error: unknown) => {
      engine = null;
      throw error;
    });
  return engine;
}
