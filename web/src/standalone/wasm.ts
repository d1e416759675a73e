// Kernels as a WebAssembly module: arguments and results are stored in its memory.

import type { Argument, Kernels, Manifest, Memory, Words } from "./kernels";

const WORD_BYTES = 8;
const PAGE_BYTES = 65_536;
const LIST_WORDS = 8_192; // reserved for list arguments of a call

type Entry = (args: number, results: number) => number;

/** An instance of a WebAssembly module with its memory. */
export class Module implements Kernels {
  private readonly argsAddress: number;
  private readonly resultsAddress: number;
  /** The contents of list arguments. */
  private readonly listsAddress: number;
  /** The first address that calls do not use. */
  private readonly freeAddress: number;

  private constructor(
    readonly manifest: Manifest,
    private readonly exports: WebAssembly.Exports,
    private readonly wasmMemory: WebAssembly.Memory,
  ) {
    const maxWords = Math.max(...Object.values(manifest.entries).map((one) => this.maxWords(one)));
    this.argsAddress = manifest.heap;
    this.resultsAddress = this.argsAddress + maxWords * WORD_BYTES;
    this.listsAddress = this.resultsAddress + maxWords * WORD_BYTES;
    this.freeAddress = this.listsAddress + LIST_WORDS * WORD_BYTES;
    this.grow(this.freeAddress);
  }

  static async instantiate(code: ArrayBuffer, manifest: Manifest): Promise<Module> {
    const { instance } = await WebAssembly.instantiate(code, {});
    return new Module(manifest, instance.exports, instance.exports.memory as WebAssembly.Memory);
  }

  has(entry: string): boolean {
    return entry in this.manifest.entries;
  }

  call(entry: string, ...args: Argument[]): Words | null {
    this.writeArgs(args);
    try {
      if ((this.exports[entry] as Entry)(this.argsAddress, this.resultsAddress) !== 0) return null;
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) return null;
      throw error;
    }
    return this.view(this.resultsAddress, this.countWords(this.manifest.entries[entry]!.results)).slice();
  }

  list(results: Words, index: number): Words {
    return this.view(Number(results[index]), Number(results[index + 1])).slice();
  }

  memory(words: number): Memory {
    let count = words;
    while (!this.grow(this.freeAddress + count * WORD_BYTES)) count = Math.floor(count / 2);
    const view = this.view(this.freeAddress, count);
    view.fill(0n);
    return { at: this.freeAddress, words: view };
  }

  private writeArgs(args: Argument[]): void {
    let [at, list] = [this.argsAddress, this.listsAddress];
    for (const arg of args) {
      const words = arg instanceof BigInt64Array ? arg : this.reference(arg, list);
      this.view(at, words.length).set(words);
      at += words.length * WORD_BYTES;
      if ("list" in arg) list += arg.list.length * WORD_BYTES;
    }
  }

  /** Return the words that refer to a list, after copying it into memory, or to an address. */
  private reference(arg: { list: Words } | { at: number }, at: number): Words {
    if ("at" in arg) return BigInt64Array.of(BigInt(arg.at));
    this.view(at, arg.list.length).set(arg.list);
    return BigInt64Array.of(BigInt(at), BigInt(arg.list.length));
  }

  private view(at: number, words: number): Words {
    return new BigInt64Array(this.wasmMemory.buffer, at, words);
  }

  private maxWords({ params, results }: { params: string; results: string }): number {
    return Math.max(this.countWords(params), this.countWords(results));
  }

  /** Return the number of words of values, from the letters of their types. */
  private countWords(letters: string): number {
    const sizes: Record<string, number> = { m: this.manifest.words, b: 2 };
    return [...letters].reduce((sum, letter) => sum + (sizes[letter] ?? 1), 0);
  }

  /** Grow the memory up to an address; return false if that fails. */
  private grow(end: number): boolean {
    const missing = Math.ceil((end - this.wasmMemory.buffer.byteLength) / PAGE_BYTES);
    try {
      if (missing > 0) this.wasmMemory.grow(missing);
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    return true;
  }
}
