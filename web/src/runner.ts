// A worker that runs the package, with a queue: one operation at a time. A worker that takes too
// long, or longer than its answer is wanted, is ended; the next operation starts another one.

import type { Line, Request } from "./worker";

const GRACE = 2_000; // milliseconds of an unwanted operation until its worker is ended

interface Task extends Request {
  each: ((line: string) => void) | undefined;
  done: (text: string) => void;
  fail: (error: unknown) => void;
}

export class Runner {
  private worker: Worker | null = null;
  private isReady = false;
  private current: Task | null = null;
  private readonly queue: Task[] = [];
  private waiting = 0;

  /** `most` is the limit of an operation in milliseconds. */
  constructor(private readonly most: number) {}

  run(asked: Request & Pick<Task, "each">, signal?: AbortSignal): Promise<string> {
    return new Promise((done, fail) => {
      if (signal?.aborted) return fail(aborted());
      const task = { ...asked, done, fail };
      signal?.addEventListener("abort", () => this.drop(task), { once: true });
      this.queue.push(task);
      this.next();
    });
  }

  private next(): void {
    if (this.current || !this.queue.length) return;
    this.worker ??= this.start();
    if (!this.isReady) return;
    this.current = this.queue.shift()!;
    const { name, body } = this.current;
    this.worker.postMessage({ name, body } satisfies Request);
    this.endAfter(this.most);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Line>) => this.take(data));
    worker.addEventListener("error", () => this.fail("failed", "the engine could not be loaded"));
    return worker;
  }

  private take({ text, kind }: Line): void {
    if (kind === "fault") return this.fail("failed", text);
    if (kind === "ready") this.isReady = true;
    else if (kind === "line") return this.current?.each?.(text);
    else this.finish(text);
    this.next();
  }

  private finish(text: string): void {
    clearTimeout(this.waiting);
    this.current?.done(text);
    this.current = null;
  }

  /** Forgets an operation that is no longer wanted. */
  private drop(task: Task): void {
    task.fail(aborted());
    const at = this.queue.indexOf(task);
    if (at >= 0) this.queue.splice(at, 1);
    if (this.current !== task) return;
    task.each = undefined;
    this.endAfter(GRACE);
  }

  private endAfter(pause: number): void {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.end();
      this.finish(refusal("limit", "this takes longer than an answer may take"));
      this.next();
    }, pause);
  }

  /** Answers all operations with an error. */
  private fail(kind: string, message: string): void {
    this.end();
    const tasks = [...(this.current ? [this.current] : []), ...this.queue.splice(0)];
    this.current = null;
    clearTimeout(this.waiting);
    for (const task of tasks) task.done(refusal(kind, message));
  }

  private end(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
  }
}

function refusal(kind: string, message: string): string {
  return JSON.stringify({ error: { kind, message } });
}

function aborted(): DOMException {
  return new DOMException("", "AbortError");
}
