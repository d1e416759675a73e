// Fairy-Stockfish in WebAssembly (npm install fairy-stockfish-nnue.wasm), UCI line by line: its own
// uci.js holds an answer back until the next line comes. NODE_PATH tells where it is installed.
const { createInterface } = require("readline");

require("fairy-stockfish-nnue.wasm/stockfish.js")().then((engine) => {
  engine.addMessageListener((line) => process.stdout.write(`${line}\n`));
  createInterface({ input: process.stdin })
    .on("line", (line) => engine.postMessage(line))
    .on("close", () => process.exit(0));
});
