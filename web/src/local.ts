// The local engine: a worker for short operations and one for searches. The board and the editor
// never wait for a search. Loaded on first use.

import type { LocalEngine } from "./backend";
import { WorkerQueue } from "./workerqueue";

const LONG_OPERATIONS = new Set(["annotate", "play", "search", "study", "test", "transforms"]);
const TIMEOUTS = { short: 20_000, long: 60_000 }; // milliseconds for an operation

export function createEngine(): LocalEngine {
  const [short, long] = [new WorkerQueue(TIMEOUTS.short), new WorkerQueue(TIMEOUTS.long)];
  return {
    request(operation, body, signal, each) {
      const isLong = LONG_OPERATIONS.has(operation) || (operation === "check" && "games" in body);
      const queue = isLong ? long : short;
      return queue.run({ name: operation, body: JSON.stringify(body), onLine: each }, signal);
    },
  };
}
