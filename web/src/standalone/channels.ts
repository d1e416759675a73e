// Message channels to an engine in a worker that runs this same script, or in the page.

import type { Channel, EngineRequest, EngineResponse } from "./engine";
import { RequestHandler } from "./handler";

/** Start a worker that runs a script; return null if the browser allows no worker for a file. */
export async function openWorker(script: string): Promise<Channel | null> {
  try {
    const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    const worker = new Worker(address);
    await new Promise((resolve, reject) => {
      worker.addEventListener("message", resolve, { once: true });
      worker.addEventListener("error", reject, { once: true });
    });
    return {
      send: (request) => worker.postMessage(request),
      listen: (listener) =>
        worker.addEventListener("message", ({ data }: MessageEvent<EngineResponse>) => listener(data)),
    };
  } catch {
    return null;
  }
}

/** Return a channel to a handler in this page, which runs when the event loop is idle. */
export function localChannel(): Channel {
  let respond: (response: EngineResponse) => void = () => undefined;
  const handler = new RequestHandler((response) => respond(response));
  return {
    send: (request) => setTimeout(() => handler.handle(request)),
    listen: (listener) => (respond = listener),
  };
}

/** Handle the requests that are sent to this worker; a first message reports that it has started. */
export function serveWorker(): void {
  const handler = new RequestHandler((response) => postMessage(response));
  addEventListener("message", ({ data }: MessageEvent<EngineRequest>) => void handler.handle(data));
  postMessage({ id: 0 } satisfies EngineResponse);
}
