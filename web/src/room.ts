// A room on the server: the stream of its observations, and the actions of a player.

import { request, requestStream } from "./api";
import { isAbortError } from "./errors";
import { FRIEND, PERSON } from "./names";
import type { GameRecord, LinkedGame, Observation, Setup } from "./protocol";
import { Session } from "./session";
import type { FetchPosition } from "./session";

const RECONNECT_DELAYS = [500, 1000, 2000, 5000]; // milliseconds between attempts to reconnect

/** Open a room for a game and return its id. */
export async function openRoom(game: GameRecord, clock: string, seat: string): Promise<string> {
  const { spec, parameters, with: transforms = [], start = "" } = game;
  const body = { spec, parameters, with: transforms, start, clock, seat };
  const { room, token } = await request<{ room: string; token: string }>("rooms", body);
  storeToken(room, token);
  return room;
}

/** A connection to a room; listeners get each observation, and null when the connection is lost. */
export class Room {
  latest: Observation | null = null;
  private readonly listeners = new Set<(observation: Observation | null) => void>();
  private readonly abortController = new AbortController();

  constructor(readonly id: string) {}

  listen(listener: (observation: Observation | null) => void): void {
    this.listeners.add(listener);
  }

  /** Take a free seat; without one the user is a spectator. */
  async join(): Promise<void> {
    if (storedToken(this.id)) return;
    try {
      const { token } = await request<{ token: string }>(`rooms/${this.id}/seat`, {});
      storeToken(this.id, token);
    } catch (error) {
      if ((error as { kind?: string }).kind !== "taken") throw error;
    }
  }

  /** Stream observations until the room is left; resolve after the first one. */
  watch(): Promise<void> {
    return new Promise((resolve, reject) => {
      void this.stayConnected(resolve, reject);
    });
  }

  leave(): void {
    this.abortController.abort();
  }

  move(move: string, ply: number): Promise<unknown> {
    return this.post("move", { move, ply });
  }

  offer(kind: string): Promise<unknown> {
    return this.post("offer", { kind });
  }

  answer(accepts: boolean): Promise<unknown> {
    return this.post("answer", { accepts });
  }

  resign(): Promise<unknown> {
    return this.post("resign", {});
  }

  private post(action: string, fields: object): Promise<unknown> {
    return request(`rooms/${this.id}/${action}`, { ...fields, token: storedToken(this.id) });
  }

  private async stayConnected(onOpen: () => void, onClosed: (error: unknown) => void): Promise<void> {
    const { signal } = this.abortController;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        const receive = (observation: Observation) => {
          attempt = 0;
          this.emit(observation);
          onOpen();
        };
        await requestStream(`rooms/${this.id}/watch`, { token: storedToken(this.id) }, receive, signal);
      } catch (error) {
        if (isAbortError(error)) return;
        if ((error as { kind?: string }).kind === "unknown") {
          removeToken(this.id); // the room is closed
          return onClosed(error);
        }
      }
      this.emit(null);
      await new Promise((resolve) => setTimeout(resolve, RECONNECT_DELAYS[Math.min(attempt, RECONNECT_DELAYS.length - 1)]));
    }
  }

  private emit(observation: Observation | null): void {
    this.latest = observation ?? this.latest;
    for (const listener of this.listeners) listener(observation);
  }
}

/** The game of a room: moves are sent to the server and shown after it has accepted them. */
export class RoomSession extends Session {
  constructor(
    record: GameRecord,
    fetchPosition: FetchPosition,
    readonly room: Room,
  ) {
    super(record, fetchPosition);
  }

  override get linked(): LinkedGame {
    return { ...this.record, ...(this.settled && { settled: this.settled }) };
  }

  override async play(move: string): Promise<void> {
    await this.room.move(move, this.record.moves.length);
  }

  /** Apply an observation; an earlier position that the user has selected stays shown. */
  async apply(observation: Observation): Promise<void> {
    const { record } = this;
    const { moves } = observation;
    const setup: Setup = { ...this.setup, players: occupants(observation) };
    const isSame = JSON.stringify(moves) === JSON.stringify(record.moves);
    this.setup = setup;
    if (!isSame || !this.position) {
      await this.replace({ ...record, moves }, this.isAtEnd ? moves.length : this.ply);
    }
    if (this.room.latest !== observation) return; // a later observation has replaced this one
    this.settled = observation.settled;
    this.changeSetup(setup);
  }
}

/** Return the occupants of all seats from the point of view of this seat. */
function occupants({ players, you }: Observation): Record<string, string> {
  return Object.fromEntries(players.map((name) => [name, name === you ? PERSON : FRIEND]));
}

export function areAllSeatsTaken({ seats }: Observation): boolean {
  return Object.values(seats).every(({ taken }) => taken);
}

function storedToken(room: string): string {
  try {
    return localStorage.getItem(`room ${room}`) ?? tokens.get(room) ?? "";
  } catch {
    return tokens.get(room) ?? "";
  }
}

function storeToken(room: string, token: string): void {
  tokens.set(room, token);
  try {
    localStorage.setItem(`room ${room}`, token);
  } catch {
    // The browser stores nothing: the seat is lost with the page.
  }
}

function removeToken(room: string): void {
  tokens.delete(room);
  try {
    localStorage.removeItem(`room ${room}`);
  } catch {
    // The browser stores nothing.
  }
}

const tokens = new Map<string, string>();
