// Where an engine works: in a worker made of this very script, else in the page.

import { Answering } from "./answering";
import type { Answer, Post, Question } from "./engine";

/** A worker that runs a script; null where the browser gives a file none. */
export async function worker(script: string): Promise<Post | null> {
  try {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const made = new Worker(address);
    await new Promise((done, fail) => {
      made.addEventListener("message", done, { once: true });
      made.addEventListener("error", fail, { once: true });
    });
    return {
      send: (question) => made.postMessage(question),
      hear: (listener) =>
        made.addEventListener("message", ({ data }: MessageEvent<Answer>) => listener(data)),
    };
  } catch {
    return null;
  }
}

/** The page itself, which answers when it has nothing else to do. */
export function here(): Post {
  let told: (answer: Answer) => void = () => undefined;
  const answering = new Answering((answer) => told(answer));
  return {
    send: (question) => setTimeout(() => answering.take(question)),
    hear: (listener) => (told = listener),
  };
}

/** Answers whoever sends questions to this worker, which says first that it is there. */
export function serve(): void {
  const answering = new Answering((answer) => postMessage(answer));
  addEventListener("message", ({ data }: MessageEvent<Question>) => void answering.take(data));
  postMessage({ id: 0 } satisfies Answer);
}
