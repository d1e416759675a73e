// A room on the server: the stream of its observations, and the actions of a player.

import { request, requestStream } from "./api";
import { IS_STATIC } from "./backend";
import { isAbortError, UserError } from "./errors";
import { FRIEND, PERSON } from "./names";
import type { GameRecord, LinkedGame, Observation, Position, Setup } from "./protocol";
import { Session, theme } from "./session";
import type { FetchPosition } from "./session";

const RECONNECT_DELAYS = [500, 1000, 2000, 5000]; // milliseconds between attempts to reconnect

/** The seats of a new room: that of its creator, computer players, and true if persons share a device. */
export interface RoomSeats {
  seat: string;
  computers?: Record<string, string>;
  shared?: boolean;
}

/** Open a room for a game and return its id. */
export async function openRoom(game: GameRecord, clock: string, seats: RoomSeats): Promise<string> {
  if (IS_STATIC) throw new UserError("This game needs the server of `rulesengine serve`.");
  const { spec, parameters, with: transforms = [], start = "" } = game;
  const body = { spec, parameters, with: transforms, start, clock, ...seats };
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

  /** Make a move in a game that hides something; `knowledge` is the key of the position that is seen. */
  moveUnseen(move: string, knowledge: string): Promise<unknown> {
    return this.post("move", { move, knowledge });
  }

  /** Return the position as a player of this device sees it; null is a spectator. */
  view(viewer: string | null): Promise<Position> {
    return this.post("view", { viewer: viewer ?? "", theme: theme() }) as Promise<Position>;
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
  /** True while the device is passed from one person to another. */
  isCovered = false;
  /** The player of this device that sees its view; null for a spectator. */
  viewer: string | null = null;
  private number = 0;
  private viewCount = 0;
  private shownKey = "";

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

  override get isAtEnd(): boolean {
    return this.hides || super.isAtEnd;
  }

  override get canStep(): boolean {
    return !this.hides;
  }

  /** True if players see different parts of the game; at the end all see everything. */
  get hides(): boolean {
    return this.room.latest?.moves === null;
  }

  /** The player of this device whose turn it is while another one's view is shown; null if none. */
  get nextViewer(): string | null {
    const { own, mover } = this.room.latest!;
    const isOther = this.isCovered || mover !== this.viewer;
    return this.hides && own.length > 1 && own.includes(mover) && isOther ? mover : null;
  }

  /** Hide the view before another person gets the device. */
  async cover(): Promise<void> {
    this.isCovered = true;
    await this.refresh();
  }

  /** Show the view of the player to move. */
  async uncover(): Promise<void> {
    this.isCovered = false;
    this.viewer = this.room.latest!.mover;
    await this.refresh();
  }

  override async play(move: string): Promise<void> {
    if (this.hides) await this.room.moveUnseen(move, this.position?.knowledge ?? "");
    else await this.room.move(move, this.record.moves.length);
  }

  /** Apply an observation; an earlier position that the user has selected stays shown. */
  async apply(observation: Observation): Promise<void> {
    const { record } = this;
    const { moves } = observation;
    const setup: Setup = { ...this.setup, players: occupants(observation) };
    this.setup = setup;
    if (moves === null) return this.applyHidden(observation, setup);
    const isSame = JSON.stringify(moves) === JSON.stringify(record.moves);
    const wasHidden = this.isCovered || this.position?.viewer !== undefined;
    this.isCovered = false;
    if (!isSame || wasHidden || !this.position) {
      await this.replace({ ...record, moves }, this.isAtEnd || wasHidden ? moves.length : this.ply);
    }
    if (this.room.latest !== observation) return; // a later observation has replaced this one
    this.settled = observation.settled;
    this.changeSetup(setup);
  }

  /** Apply an observation of a game that hides something: show the view of a player of this device. */
  private async applyHidden({ number, own, mover, knowledge }: Observation, setup: Setup): Promise<void> {
    if (number !== this.number && own.length > 1) this.isCovered = true;
    if (own.length < 2) this.viewer = own[0] ?? null;
    this.number = number;
    this.settled = null;
    const key = JSON.stringify([number, mover, knowledge]);
    const isSame = key === this.shownKey;
    this.shownKey = key;
    if (!isSame) await this.refresh();
    this.changeSetup(setup);
  }

  protected override async positionOf(record: GameRecord): Promise<Position> {
    const { latest } = this.room;
    if (latest?.moves !== null) return super.positionOf(record);
    this.viewCount += 1;
    const { viewCount } = this;
    const position = this.isCovered ? await this.coveredPosition(latest) : await this.currentView();
    if (viewCount === this.viewCount && this.hides) {
      const moves = position.moves.map(({ text }) => text);
      this.record = { ...this.record, moves };
      this.ply = moves.length;
    }
    return position;
  }

  /** Return the view of this device; the shown one if the game has ended meanwhile. */
  private async currentView(): Promise<Position> {
    try {
      return await this.room.view(this.viewer);
    } catch (error) {
      if ((error as { kind?: string }).kind !== "turn" || !this.position) throw error;
      return this.position;
    }
  }

  /** Return the first position, which all know, while no view is shown. */
  private async coveredPosition({ mover }: Observation): Promise<Position> {
    const first = await super.positionOf({ ...this.record, moves: [] });
    return { ...first, mover, chance: false, legal: [], scores: null, viewer: null };
  }
}

/** Return the occupants of all seats from the point of view of this seat. */
function occupants({ players, own, computers }: Observation): Record<string, string> {
  const others = (name: string) => computers[name] ?? FRIEND;
  return Object.fromEntries(players.map((name) => [name, own.includes(name) ? PERSON : others(name)]));
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
