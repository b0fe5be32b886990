// An ESM app that knows openai and nothing else.
import OpenAI from "openai";
import { runToolLoop } from "./tool-loop.cjs";

console.log(await runToolLoop(new OpenAI({ maxRetries: 0 })));
