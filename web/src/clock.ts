// Chess clocks: minutes for the game, seconds for each move.

export interface Pace {
  minutes: number;
  increment: number;
}

export const PACES: readonly (readonly [value: string, label: string])[] = [
  ["", "no clock"],
  ["1+0", "1 minute"],
  ["3+2", "3 minutes, 2 s a move"],
  ["5+5", "5 minutes, 5 s a move"],
  ["10+10", "10 minutes, 10 s a move"],
  ["30+0", "30 minutes"],
];

export class Clock {
  private pace: Pace | null = null;
  private named = "";
  private left: Record<string, number> = {};
  private running: { player: string; since: number } | null = null;
  private timer = 0;

  /** `tick` is called while time runs, `flag` when a player has none left. */
  constructor(
    private readonly tick: () => void,
    private readonly flag: (player: string) => void,
  ) {}

  /** Gives all players the whole time of another pace; an empty one is no clock. */
  set(pace: string): void {
    if (pace === this.named) return;
    this.named = pace;
    const [minutes, increment] = pace.split("+").map(Number);
    this.pace = pace ? { minutes: minutes!, increment: increment! } : null;
    this.reset();
  }

  /** Takes the seconds that a server tells. */
  follow(left: Record<string, number>, running: string | null): void {
    this.stop();
    this.pace = { minutes: 0, increment: 0 };
    this.left = Object.fromEntries(Object.entries(left).map(([name, time]) => [name, time * 1000]));
    if (running !== null) this.start(running);
    this.tick();
  }

  /** The milliseconds that each player has left, as far as a clock has run. */
  get remaining(): Record<string, number> {
    const names = new Set([...Object.keys(this.left), ...(this.running ? [this.running.player] : [])]);
    return Object.fromEntries([...names].map((name) => [name, this.of(name)]));
  }

  restore(left: Record<string, number>): void {
    if (this.pace) this.left = { ...left };
    this.tick();
  }

  reset(): void {
    this.stop();
    this.left = {};
    this.tick();
  }

  /** Lets a player's time run; who was running has made a move. */
  start(player: string): void {
    if (!this.pace || this.running?.player === player) return;
    const last = this.running?.player;
    if (last !== undefined) this.left[last] = this.of(last) + this.pace.increment * 1000;
    this.running = { player, since: performance.now() };
    clearInterval(this.timer);
    this.timer = setInterval(() => this.watch(), 200);
    this.tick();
  }

  stop(): void {
    if (this.running) this.left[this.running.player] = this.of(this.running.player);
    this.running = null;
    clearInterval(this.timer);
  }

  /** The time that a player has left, to be read: `4:05`; empty where there is no clock. */
  text(player: string): string {
    if (!this.pace) return "";
    const seconds = Math.ceil(Math.max(0, this.of(player)) / 1000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }

  private of(player: string): number {
    const left = this.left[player] ?? this.pace!.minutes * 60_000;
    const runs = this.running?.player === player;
    return runs ? left - (performance.now() - this.running!.since) : left;
  }

  private watch(): void {
    const player = this.running?.player;
    this.tick();
    if (player === undefined || this.of(player) > 0) return;
    this.stop();
    this.flag(player);
  }
}
