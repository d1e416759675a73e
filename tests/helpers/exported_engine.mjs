// Plays games by the engine of exported files, without a browser: the script of the page takes
// itself for a worker. Standard input is a list of games, `{page, asked}`; of each it prints what
// the engine answers, one after the other.

import { readFileSync } from "node:fs";

function part(page, id) {
  const begin = page.indexOf(">", page.indexOf(`id="${id}"`)) + 1;
  return page.slice(begin, page.indexOf("</script>", begin));
}

/** Asks the engine of a page questions, each when the last one was answered. */
async function answers(page, asked) {
  let hear = () => undefined;
  let told = () => undefined;
  const listen = (_, listener) => (hear = (data) => listener({ data }));
  new Function("addEventListener", "postMessage", part(page, "script"))(listen, (answer) => told(answer));
  const questions = [{ name: "open", given: [part(page, "game"), part(page, "kernels")] }, ...asked];
  const found = [];
  for (const [at, question] of questions.entries()) {
    const answered = new Promise((done) => (told = done));
    hear({ id: at + 1, ...question });
    found.push(await answered);
  }
  return found.slice(1);
}

for (const { page, asked } of JSON.parse(readFileSync(0, "utf8"))) {
  console.log(JSON.stringify(await answers(readFileSync(page, "utf8"), asked)));
}
