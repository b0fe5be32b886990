const OpenAI = require("openai");
const { calls } = require("./calls.cjs");

calls(OpenAI).then((outcomes) => console.log(JSON.stringify(outcomes)));
