// The interface of the engine, and a client that sends its requests over a message channel.

import { UserError } from "../errors";
import type { Position } from "../protocol";

export interface Engine {
  /** Return the position after some moves. */
  position(moves: string[]): Promise<Position>;
  /** Return the move of a computer player, which may depend on a seed; null if none is legal. */
  chooseMove(
    moves: string[],
    player: string,
    seed: number,
    signal: AbortSignal,
  ): Promise<string | null>;
  /** Return the game as a record, with the occupant of each seat. */
  record(moves: string[], players: Record<string, string>): Promise<string>;
}

export interface EngineRequest {
  id: number;
  name: "open" | keyof Engine | "cancel";
  args: unknown[];
}

export interface EngineResponse {
  id: number;
  value?: unknown;
  /** A message; empty if the request was cancelled. */
  error?: string;
}

/** A message channel to a worker, or to a handler in the page. */
export interface Channel {
  send(request: EngineRequest): void;
  listen(listener: (response: EngineResponse) => void): void;
}

/** An engine at the other end of a channel. */
export class EngineClient implements Engine {
  private readonly pending = new Map<number, (response: EngineResponse) => void>();
  private lastId = 0;

  constructor(private readonly channel: Channel) {
    channel.listen((response) => {
      this.pending.get(response.id)?.(response);
      this.pending.delete(response.id);
    });
  }

  /** Load a game and its kernels, as base64 of compressed data. */
  open(game: string, kernels: string): Promise<void> {
    return this.request("open", [game, kernels]);
  }

  position(moves: string[]): Promise<Position> {
    return this.request("position", [moves]);
  }

  chooseMove(
    moves: string[],
    player: string,
    seed: number,
    signal: AbortSignal,
  ): Promise<string | null> {
    const move = this.request<string | null>("chooseMove", [moves, player, seed]);
    const id = this.lastId;
    signal.addEventListener("abort", () => this.channel.send({ id, name: "cancel", args: [] }));
    return move;
  }

  record(moves: string[], players: Record<string, string>): Promise<string> {
    return this.request("record", [moves, players]);
  }

  private request<T>(name: EngineRequest["name"], args: unknown[]): Promise<T> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.pending.set(id, ({ value, error }) => {
        if (error === undefined) resolve(value as T);
        else reject(error ? new UserError(error) : new DOMException("", "AbortError"));
      });
      this.channel.send({ id, name, args });
    });
  }
}
