// The handler of engine requests, in a worker or in the page.

import { FULL } from "../names";
import { inflate } from "./contents";
import type { Contents } from "./contents";
import type { EngineRequest, EngineResponse } from "./engine";
import type { Kernels, Manifest, Words } from "./kernels";
import { Line } from "./line";
import { positionOf } from "./positions";
import { recordText } from "./record";
import { Rules } from "./rules";
import { alphaBeta, treeSearch } from "./search";
import { Module } from "./wasm";
import { allWeights } from "./weights";

const LEVEL_PLAYER = /^search:level=(\d+)$/;
// 2 ** 32 divided by the golden ratio: its multiples modulo 2 ** 32 are distributed evenly.
const GOLDEN_RATIO_STEP = 2_654_435_769;

/** Thrown in a request that the client has cancelled. */
class Cancelled extends Error {}

export class RequestHandler {
  private readonly cancelled = new Set<number>();
  private game: Game | null = null;

  constructor(private readonly respond: (response: EngineResponse) => void) {}

  async handle(request: EngineRequest): Promise<void> {
    const { id, name } = request;
    if (name === "cancel") return void this.cancelled.add(id);
    try {
      this.respond({ id, value: await this.run(request) });
    } catch (error) {
      this.respond({ id, error: error instanceof Cancelled ? "" : (error as Error).message });
    } finally {
      this.cancelled.delete(id);
    }
  }

  private async run({ id, name, args }: EngineRequest): Promise<unknown> {
    if (name === "open") {
      const [game, kernels] = args as [string, string];
      this.game = await openGame(game, kernels);
      return null;
    }
    const game = this.game!;
    const [moves, players, seed] = args as [string[], unknown, number];
    switch (name) {
      case "position":
        return game.position(moves);
      case "chooseMove":
        return game.chooseMove(moves, players as string, seed, () => this.checkpoint(id));
      case "record":
        return game.record(moves, players as Record<string, string>);
    }
    return null;
  }

  /** Yield to the event loop; throw Cancelled if the request was cancelled. */
  private async checkpoint(id: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve));
    if (this.cancelled.has(id)) throw new Cancelled();
  }
}

/** A game with its current line of play. */
class Game {
  private readonly line: Line;

  constructor(
    private readonly kernels: Kernels,
    private readonly rules: Rules,
    private readonly weights: Words,
  ) {
    this.line = new Line(rules);
  }

  position(moves: string[]) {
    return positionOf(this.rules, this.line, moves);
  }

  record(moves: string[], players: Record<string, string>): string {
    return recordText(this.rules.game, moves, players, this.position(moves));
  }

  async chooseMove(
    moves: string[],
    player: string,
    seed: number,
    checkpoint: () => Promise<void>,
  ): Promise<string | null> {
    const nodes = this.line.follow(moves);
    const { state, texts } = nodes.at(-1)!;
    const { levels } = this.rules.game;
    const level = player === FULL ? levels.length : LEVEL_PLAYER.exec(player)?.[1];
    if (level === undefined) return texts[seed % texts.length] ?? null;
    if (texts.length < 2) return texts[0] ?? null;
    const root = {
      state,
      count: texts.length,
      player: this.rules.moverNumber(state),
      weights: this.weights,
      lastPlacement: this.rules.lastPlacement(nodes.at(-2)?.state ?? null, state),
    };
    const budget = levels[Number(level) - 1]!;
    const limits = { count: drawCount("nodes" in budget ? budget.nodes : budget.playouts, seed), seed };
    const search = "nodes" in budget ? alphaBeta : treeSearch;
    const best = await search(this.kernels, root, { ...budget, ...limits }, checkpoint);
    return texts[best] ?? null;
  }
}

/** Draw one of the counts of a budget, as the Python package does. */
function drawCount(counts: number[], seed: number): number {
  return counts[((Math.imul(seed, GOLDEN_RATIO_STEP) >>> 16) * counts.length) >>> 16]!;
}

async function openGame(game: string, kernels: string): Promise<Game> {
  const { manifest, ...contents } = JSON.parse(
    new TextDecoder().decode(await inflate(game)),
  ) as Contents & { manifest: Manifest };
  const module = await Module.instantiate(await inflate(kernels), manifest);
  const weights = await allWeights(contents.weights, manifest);
  return new Game(module, new Rules(module, contents), weights);
}
