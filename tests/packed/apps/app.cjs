// A CommonJS app that knows openai and nothing else.
const OpenAI = require("openai");
const { runToolLoop } = require("./tool-loop.cjs");

runToolLoop(new OpenAI({ maxRetries: 0 })).then(console.log);
