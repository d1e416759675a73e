// Who knows the rules: asked for positions, moves of players and records, each in its time.

import { Fault } from "../faults";
import type { Position } from "../protocol";

export interface Engine {
  /** What there is to see behind some moves. */
  look(moves: string[]): Promise<Position>;
  /** The move of a player who is no person, which a seed may change; null where none is legal. */
  choose(
    moves: string[],
    player: string,
    seed: number,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** The game as a record, with who plays for each player. */
  record(moves: string[], players: Record<string, string>): Promise<string>;
}

export interface Question {
  id: number;
  name: "open" | keyof Engine | "drop";
  given: unknown[];
}

export interface Answer {
  id: number;
  value?: unknown;
  /** What went wrong; empty where nobody waits any more. */
  fault?: string;
}

/** Whoever takes questions and hands answers on: a worker, or this page. */
export interface Post {
  send(question: Question): void;
  hear(listener: (answer: Answer) => void): void;
}

/** An engine behind a post; `open` are the texts that hold the game and its kernels. */
export class Remote implements Engine {
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;

  constructor(private readonly post: Post) {
    post.hear((answer) => {
      this.waiting.get(answer.id)?.(answer);
      this.waiting.delete(answer.id);
    });
  }

  open(game: string, kernels: string): Promise<void> {
    return this.ask("open", [game, kernels]);
  }

  look(moves: string[]): Promise<Position> {
    return this.ask("look", [moves]);
  }

  choose(
    moves: string[],
    player: string,
    seed: number,
    signal: AbortSignal,
  ): Promise<string | null> {
    const asked = this.ask<string | null>("choose", [moves, player, seed]);
    const id = this.last;
    signal.addEventListener("abort", () => this.post.send({ id, name: "drop", given: [] }));
    return asked;
  }

  record(moves: string[], players: Record<string, string>): Promise<string> {
    return this.ask("record", [moves, players]);
  }

  private ask<T>(name: Question["name"], given: unknown[]): Promise<T> {
    const id = ++this.last;
    return new Promise((done, fail) => {
      this.waiting.set(id, ({ value, fault }) => {
        if (fault === undefined) done(value as T);
        else fail(fault ? new Fault(fault) : new DOMException("", "AbortError"));
      });
      this.post.send({ id, name, given });
    });
  }
}
