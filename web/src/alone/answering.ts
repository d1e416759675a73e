// Answers questions about a game, in a worker or in the page itself.

import { inflated } from "./contents";
import type { Contents } from "./contents";
import type { Answer, Question } from "./engine";
import type { Kernels, Manifest, Words } from "./kernels";
import { Line } from "./line";
import { position } from "./positions";
import { recordText } from "./record";
import { FULL } from "../names";
import { Rules } from "./rules";
import { alphaBeta, treeSearch } from "./searching";
import { Module } from "./wasm";

const LEVEL = /^search:level=(\d+)$/;
const GOLDEN = 2_654_435_769; // 2 ** 32 over the golden ratio: its multiples are spread evenly

/** What has been asked for and is no longer wanted. */
class Dropped extends Error {}

export class Answering {
  private readonly dropped = new Set<number>();
  private game: Game | null = null;

  constructor(private readonly tell: (answer: Answer) => void) {}

  async take(question: Question): Promise<void> {
    const { id, name } = question;
    if (name === "drop") return void this.dropped.add(id);
    try {
      this.tell({ id, value: await this.answer(question) });
    } catch (error) {
      this.tell({ id, fault: error instanceof Dropped ? "" : (error as Error).message });
    } finally {
      this.dropped.delete(id);
    }
  }

  private async answer({ id, name, given }: Question): Promise<unknown> {
    if (name === "open") {
      const [game, kernels] = given as [string, string];
      this.game = await opened(game, kernels);
      return null;
    }
    const game = this.game!;
    const [moves, more, seed] = given as [string[], unknown, number];
    switch (name) {
      case "look":
        return game.look(moves);
      case "choose":
        return game.choose(moves, more as string, seed, () => this.breathe(id));
      case "record":
        return game.record(moves, more as Record<string, string>);
    }
    return null;
  }

  private async breathe(id: number): Promise<void> {
    await new Promise((done) => setTimeout(done));
    if (this.dropped.has(id)) throw new Dropped();
  }
}

/** A game with its line of play. */
class Game {
  private readonly line: Line;

  constructor(
    private readonly kernels: Kernels,
    private readonly rules: Rules,
    private readonly weights: Words,
  ) {
    this.line = new Line(rules);
  }

  look(moves: string[]) {
    return position(this.rules, this.line, moves);
  }

  record(moves: string[], players: Record<string, string>): string {
    return recordText(this.rules.game, moves, players, this.look(moves));
  }

  async choose(
    moves: string[],
    who: string,
    seed: number,
    breathe: () => Promise<void>,
  ): Promise<string | null> {
    const { state, texts } = this.line.to(moves).at(-1)!;
    const { levels } = this.rules.game;
    const level = who === FULL ? levels.length : LEVEL.exec(who)?.[1];
    if (level === undefined) return texts[seed % texts.length] ?? null;
    if (texts.length < 2) return texts[0] ?? null;
    const player = this.rules.moverNumber(state);
    const question = { state, count: texts.length, player, weights: this.weights };
    const most = levels[Number(level) - 1]!;
    const limit = { count: drawn("nodes" in most ? most.nodes : most.playouts, seed), seed };
    const search = "nodes" in most ? alphaBeta : treeSearch;
    const best = await search(this.kernels, question, { ...most, ...limit }, breathe);
    return texts[best] ?? null;
  }
}

/** One of some counts, as the package draws it. */
function drawn(counts: number[], seed: number): number {
  return counts[((Math.imul(seed, GOLDEN) >>> 16) * counts.length) >>> 16]!;
}

async function opened(game: string, kernels: string): Promise<Game> {
  const { manifest, ...contents } = JSON.parse(
    new TextDecoder().decode(await inflated(game)),
  ) as Contents & { manifest: Manifest };
  const module = await Module.of(await inflated(kernels), manifest);
  const weights = new BigInt64Array(await inflated(contents.weights));
  return new Game(module, new Rules(module, contents), weights);
}
