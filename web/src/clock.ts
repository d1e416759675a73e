// Chess clocks: minutes for the game and an increment in seconds for each move.

export interface TimeControl {
  minutes: number;
  increment: number;
}

export const TIME_CONTROLS: readonly (readonly [value: string, label: string])[] = [
  ["", "no clock"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes, 2 s a move"],
  ["5+5", "5 minutes, 5 s a move"],
  ["10+10", "10 minutes, 10 s a move"],
  ["30+0", "30 minutes"],
];

export class Clock {
  private timeControl: TimeControl | null = null;
  private name = "";
  /** Milliseconds by player. */
  private remainingTimes: Record<string, number> = {};
  private running: { player: string; since: number } | null = null;
  private timer = 0;

  /** `onTick` is called while the clock runs, `onFlag` when a player's time is over. */
  constructor(
    private readonly onTick: () => void,
    private readonly onFlag: (player: string) => void,
  ) {}

  /** Reset the clock to a time control; an empty one disables it. */
  set(timeControl: string): void {
    if (timeControl === this.name) return;
    this.name = timeControl;
    const [minutes, increment] = timeControl.split("+").map(Number);
    this.timeControl = timeControl ? { minutes: minutes!, increment: increment! } : null;
    this.reset();
  }

  /** Show the times of the server, in seconds. */
  follow(remainingTimes: Record<string, number>, running: string | null): void {
    this.stop();
    this.timeControl = { minutes: 0, increment: 0 };
    this.remainingTimes = Object.fromEntries(Object.entries(remainingTimes).map(([name, time]) => [name, time * 1000]));
    if (running !== null) this.start(running);
    this.onTick();
  }

  /** The remaining milliseconds by player, of clocks that have run. */
  get remaining(): Record<string, number> {
    const names = new Set([...Object.keys(this.remainingTimes), ...(this.running ? [this.running.player] : [])]);
    return Object.fromEntries([...names].map((name) => [name, this.timeOf(name)]));
  }

  restore(remainingTimes: Record<string, number>): void {
    if (this.timeControl) this.remainingTimes = { ...remainingTimes };
    this.onTick();
  }

  reset(): void {
    this.stop();
    this.remainingTimes = {};
    this.onTick();
  }

  /** Start a player's clock, after a move of the previous player. */
  start(player: string): void {
    if (!this.timeControl || this.running?.player === player) return;
    const last = this.running?.player;
    if (last !== undefined) this.remainingTimes[last] = this.timeOf(last) + this.timeControl.increment * 1000;
    this.running = { player, since: performance.now() };
    clearInterval(this.timer);
    this.timer = setInterval(() => this.update(), 200);
    this.onTick();
  }

  stop(): void {
    if (this.running) this.remainingTimes[this.running.player] = this.timeOf(this.running.player);
    this.running = null;
    clearInterval(this.timer);
  }

  /** Return a player's remaining time as text, `4:05`; empty without a clock. */
  text(player: string): string {
    if (!this.timeControl) return "";
    const seconds = Math.ceil(Math.max(0, this.timeOf(player)) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  private timeOf(player: string): number {
    const milliseconds = this.remainingTimes[player] ?? this.timeControl!.minutes * 60_000;
    const isRunning = this.running?.player === player;
    return isRunning ? milliseconds - (performance.now() - this.running!.since) : milliseconds;
  }

  private update(): void {
    const player = this.running?.player;
    this.onTick();
    if (player === undefined || this.timeOf(player) > 0) return;
    this.stop();
    this.onFlag(player);
  }
}
