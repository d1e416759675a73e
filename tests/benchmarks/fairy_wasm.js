// Fairy-Stockfish in WebAssembly (npm install fairy-stockfish-nnue.wasm) as a UCI program. Its own
// uci.js delays a response until the next input line. NODE_PATH is the place of the installation.
const { createInterface } = require("readline");

require("fairy-stockfish-nnue.wasm/stockfish.js")().then((engine) => {
  engine.addMessageListener((line) => process.stdout.write(`${line}\n`));
  createInterface({ input: process.stdin })
    .on("line", (line) => engine.postMessage(line))
    .on("close", () => process.exit(0));
});
