// Kernels as a module of WebAssembly: arguments and results lie in its memory.

import type { Argument, Kernels, Manifest, Memory, Words } from "./kernels";

const WORD = 8;
const PAGE = 65_536;
const LISTS = 8_192; // words for the lists that a call is given

type Entry = (given: number, results: number) => number;

/** A module that runs; `memory` is its own. */
export class Module implements Kernels {
  private readonly given: number; // addresses of what a call takes, its lists, what it gives
  private readonly lists: number;
  private readonly results: number;
  private readonly free: number;

  private constructor(
    readonly manifest: Manifest,
    private readonly exports: WebAssembly.Exports,
    private readonly own: WebAssembly.Memory,
  ) {
    const most = Math.max(...Object.values(manifest.entries).map((one) => this.most(one)));
    this.given = manifest.heap;
    this.results = this.given + most * WORD;
    this.lists = this.results + most * WORD;
    this.free = this.lists + LISTS * WORD;
    this.grow(this.free);
  }

  static async of(code: ArrayBuffer, manifest: Manifest): Promise<Module> {
    const { instance } = await WebAssembly.instantiate(code, {});
    return new Module(manifest, instance.exports, instance.exports.memory as WebAssembly.Memory);
  }

  has(entry: string): boolean {
    return entry in this.manifest.entries;
  }

  call(entry: string, ...args: Argument[]): Words | null {
    this.write(args);
    try {
      if ((this.exports[entry] as Entry)(this.given, this.results) !== 0) return null;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return null;
      throw error;
    }
    return this.view(this.results, this.size(this.manifest.entries[entry]!.results)).slice();
  }

  list(given: Words, place: number): Words {
    return this.view(Number(given[place]), Number(given[place + 1])).slice();
  }

  memory(words: number): Memory {
    let room = words;
    while (!this.grow(this.free + room * WORD)) room = Math.floor(room / 2);
    const view = this.view(this.free, room);
    view.fill(0n);
    return { at: this.free, words: view };
  }

  private write(args: Argument[]): void {
    let [at, list] = [this.given, this.lists];
    for (const arg of args) {
      const words = arg instanceof BigInt64Array ? arg : this.placed(arg, list);
      this.view(at, words.length).set(words);
      at += words.length * WORD;
      if ("list" in arg) list += arg.list.length * WORD;
    }
  }

  /** What stands for a list or for memory. */
  private placed(arg: { list: Words } | { at: number }, at: number): Words {
    if ("at" in arg) return BigInt64Array.of(BigInt(arg.at));
    this.view(at, arg.list.length).set(arg.list);
    return BigInt64Array.of(BigInt(at), BigInt(arg.list.length));
  }

  private view(at: number, words: number): Words {
    return new BigInt64Array(this.own.buffer, at, words);
  }

  private most({ params, results }: { params: string; results: string }): number {
    return Math.max(this.size(params), this.size(results));
  }

  /** How many words values take, by their letters. */
  private size(letters: string): number {
    const sizes: Record<string, number> = { m: this.manifest.words, b: 2 };
    return [...letters].reduce((sum, letter) => sum + (sizes[letter] ?? 1), 0);
  }

  /** Makes room up to an address; false where the machine has none. */
  private grow(end: number): boolean {
    const missing = Math.ceil((end - this.own.buffer.byteLength) / PAGE);
    try {
      if (missing > 0) this.own.grow(missing);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    return true;
  }
}
