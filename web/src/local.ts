// Operations answered by the package itself in workers: one for short ones, and one for searches,
// so that the board and the editor never wait for a search. Loaded on first use.

import type { LocalEngine } from "./backend";
import { Runner } from "./runner";

const LONG = new Set(["annotate", "play", "search", "study", "test", "transforms"]);
const MOST = { short: 20_000, long: 60_000 }; // milliseconds of an operation

export function makeEngine(): LocalEngine {
  const [short, long] = [new Runner(MOST.short), new Runner(MOST.long)];
  return {
    send(operation, body, signal, each) {
      const isLong = LONG.has(operation) || (operation === "check" && "games" in body);
      const runner = isLong ? long : short;
      return runner.run({ name: operation, body: JSON.stringify(body), each }, signal);
    },
  };
}
