// A worker that runs the Python package, with a queue: one operation at a time. The worker is
// terminated after a timeout or a cancellation; the next operation starts another one.

import type { Request, WorkerMessage } from "./worker";

const CANCEL_GRACE = 2_000; // milliseconds from a cancellation to the end of the worker

interface Task extends Request {
  onLine: ((line: string) => void) | undefined;
  resolve: (text: string) => void;
  reject: (error: unknown) => void;
}

export class WorkerQueue {
  private worker: Worker | null = null;
  private isReady = false;
  private current: Task | null = null;
  private readonly queue: Task[] = [];
  private timer = 0;

  /** `timeout` is the limit of an operation in milliseconds. */
  constructor(private readonly timeout: number) {}

  run(request: Request & Pick<Task, "onLine">, signal?: AbortSignal): Promise<string> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(abortError());
      const task = { ...request, resolve, reject };
      signal?.addEventListener("abort", () => this.cancel(task), { once: true });
      this.queue.push(task);
      this.startNext();
    });
  }

  private startNext(): void {
    if (this.current || !this.queue.length) return;
    this.worker ??= this.start();
    if (!this.isReady) return;
    this.current = this.queue.shift()!;
    const { name, body } = this.current;
    this.worker.postMessage({ name, body } satisfies Request);
    this.terminateAfter(this.timeout);
  }

  private start(): Worker {
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<WorkerMessage>) => this.onMessage(data));
    worker.addEventListener("error", () => this.failAll("failed", "the engine could not be loaded"));
    return worker;
  }

  private onMessage({ text, kind }: WorkerMessage): void {
    if (kind === "error") return this.failAll("failed", text);
    if (kind === "ready") this.isReady = true;
    else if (kind === "line") return this.current?.onLine?.(text);
    else this.finish(text);
    this.startNext();
  }

  private finish(text: string): void {
    clearTimeout(this.timer);
    this.current?.resolve(text);
    this.current = null;
  }

  /** Cancel an operation that is queued or runs. */
  private cancel(task: Task): void {
    task.reject(abortError());
    const index = this.queue.indexOf(task);
    if (index >= 0) this.queue.splice(index, 1);
    if (this.current !== task) return;
    task.onLine = undefined;
    this.terminateAfter(CANCEL_GRACE);
  }

  private terminateAfter(delay: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.terminate();
      this.finish(errorResponse("limit", "the operation exceeds its time limit"));
      this.startNext();
    }, delay);
  }

  /** End all operations with an error response. */
  private failAll(kind: string, message: string): void {
    this.terminate();
    const tasks = [...(this.current ? [this.current] : []), ...this.queue.splice(0)];
    this.current = null;
    clearTimeout(this.timer);
    for (const task of tasks) task.resolve(errorResponse(kind, message));
  }

  private terminate(): void {
    this.worker?.terminate();
    this.worker = null;
    this.isReady = false;
  }
}

function errorResponse(kind: string, message: string): string {
  return JSON.stringify({ error: { kind, message } });
}

function abortError(): DOMException {
  return new DOMException("", "AbortError");
}
