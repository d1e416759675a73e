// A room of the server: its observations as they come, and what a player does in it.

import { ask, follow } from "./api";
import { isAborted } from "./faults";
import { FRIEND, PERSON } from "./names";
import type { GameRecord, LinkedGame, Observation, Setup } from "./protocol";
import { Session } from "./session";
import type { Look } from "./session";

const PAUSES = [500, 1000, 2000, 5000]; // milliseconds between attempts to connect again

/** Opens a room for a game; returns its id. */
export async function openRoom(game: GameRecord, clock: string, seat: string): Promise<string> {
  const { spec, parameters, with: transforms = [], start = "" } = game;
  const asked = { spec, parameters, with: transforms, start, clock, seat };
  const { room, token } = await ask<{ room: string; token: string }>("rooms", asked);
  keepToken(room, token);
  return room;
}

/** A connection to a room; listeners get each observation, and null while it is lost. */
export class Room {
  latest: Observation | null = null;
  private readonly listeners = new Set<(seen: Observation | null) => void>();
  private readonly control = new AbortController();

  constructor(readonly id: string) {}

  listen(listener: (seen: Observation | null) => void): void {
    this.listeners.add(listener);
  }

  /** Takes a free seat, if any; those who find none watch. */
  async join(): Promise<void> {
    if (tokenOf(this.id)) return;
    try {
      const { token } = await ask<{ token: string }>(`rooms/${this.id}/seat`, {});
      keepToken(this.id, token);
    } catch (error) {
      if ((error as { kind?: string }).kind !== "taken") throw error;
    }
  }

  /** Follows the room until it is left; resolves when the first observation has come. */
  watch(): Promise<void> {
    return new Promise((done, fail) => {
      void this.keepConnected(done, fail);
    });
  }

  leave(): void {
    this.control.abort();
  }

  move(move: string, ply: number): Promise<unknown> {
    return this.act("move", { move, ply });
  }

  offer(kind: string): Promise<unknown> {
    return this.act("offer", { kind });
  }

  answer(accepts: boolean): Promise<unknown> {
    return this.act("answer", { accepts });
  }

  resign(): Promise<unknown> {
    return this.act("resign", {});
  }

  private act(action: string, given: object): Promise<unknown> {
    return ask(`rooms/${this.id}/${action}`, { ...given, token: tokenOf(this.id) });
  }

  private async keepConnected(done: () => void, fail: (error: unknown) => void): Promise<void> {
    const { signal } = this.control;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        const each = (seen: Observation) => {
          tries = 0;
          this.tell(seen);
          done();
        };
        await follow(`rooms/${this.id}/watch`, { token: tokenOf(this.id) }, each, signal);
      } catch (error) {
        if (isAborted(error)) return;
        if ((error as { kind?: string }).kind === "unknown") {
          dropToken(this.id); // the room is closed
          return fail(error);
        }
      }
      this.tell(null);
      await new Promise((on) => setTimeout(on, PAUSES[Math.min(tries, PAUSES.length - 1)]));
    }
  }

  private tell(seen: Observation | null): void {
    this.latest = seen ?? this.latest;
    for (const listener of this.listeners) listener(seen);
  }
}

/** The game of a room: moves are sent to the server, and shown when it has accepted them. */
export class RoomSession extends Session {
  constructor(
    record: GameRecord,
    look: Look,
    readonly room: Room,
  ) {
    super(record, look);
  }

  override get linked(): LinkedGame {
    return { ...this.record, ...(this.settled && { settled: this.settled }) };
  }

  override async play(move: string): Promise<void> {
    await this.room.move(move, this.record.moves.length);
  }

  /** Shows what the server has told; a reader who looks at an earlier position stays there. */
  async take(seen: Observation): Promise<void> {
    const { record } = this;
    const { moves } = seen;
    const setup: Setup = { ...this.setup, players: seatsOf(seen) };
    const isSame = JSON.stringify(moves) === JSON.stringify(record.moves);
    this.setup = setup;
    if (!isSame || !this.position) {
      await this.replace({ ...record, moves }, this.isAtEnd ? moves.length : this.at);
    }
    if (this.room.latest !== seen) return; // a later one is shown, or on its way
    this.settled = seen.settled;
    this.arrange(setup);
  }
}

/** Who plays for each player, seen from one's own seat. */
function seatsOf({ players, you }: Observation): Record<string, string> {
  return Object.fromEntries(players.map((name) => [name, name === you ? PERSON : FRIEND]));
}

export function areAllSeated({ seats }: Observation): boolean {
  return Object.values(seats).every(({ taken }) => taken);
}

function tokenOf(room: string): string {
  try {
    return localStorage.getItem(`room ${room}`) ?? memory.get(room) ?? "";
  } catch {
    return memory.get(room) ?? "";
  }
}

function keepToken(room: string, token: string): void {
  memory.set(room, token);
  try {
    localStorage.setItem(`room ${room}`, token);
  } catch {
    // The browser stores nothing: the seat lasts as long as the page.
  }
}

function dropToken(room: string): void {
  memory.delete(room);
  try {
    localStorage.removeItem(`room ${room}`);
  } catch {
    // The browser stores nothing.
  }
}

const memory = new Map<string, string>();
