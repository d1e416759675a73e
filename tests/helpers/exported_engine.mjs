// Runs the engines of exported files without a browser: the script of the page acts as a worker.
// Standard input is a JSON list of `{page, requests}`. A line of output has the responses of a page.

import { readFileSync } from "node:fs";

function part(page, id) {
  const begin = page.indexOf(">", page.indexOf(`id="${id}"`)) + 1;
  return page.slice(begin, page.indexOf("</script>", begin));
}

/** Send requests to the engine of a page one after another, and return its responses. */
async function respond(page, requests) {
  let post = () => undefined;
  let receive = () => undefined;
  const listen = (_, listener) => (post = (data) => listener({ data }));
  const script = new Function("addEventListener", "postMessage", part(page, "script"));
  script(listen, (response) => receive(response));
  const open = { name: "open", args: [part(page, "game"), part(page, "kernels")] };
  const responses = [];
  for (const [at, request] of [open, ...requests].entries()) {
    const response = new Promise((resolve) => (receive = resolve));
    post({ id: at + 1, ...request });
    responses.push(await response);
  }
  return responses.slice(1);
}

for (const { page, requests } of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(JSON.stringify(await respond(readFileSync(page, "utf8"), requests)));
}
