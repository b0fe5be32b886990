const OpenAI = require("openai");

const messages = [{ role: "user", content: "What's the weather in Seattle?" }];
const call = new OpenAI().chat.completions.create({ model: "gpt-4o-mini", messages });
call.then((answer) => console.log(answer.choices[0].finish_reason));
