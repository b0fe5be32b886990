import { observeOpenAI } from "@langfuse/openai";
import OpenAI from "openai";
import { runToolLoop } from "./tool-loop.mjs";
import { provider } from "./tracing.mjs";

await runToolLoop(observeOpenAI(new OpenAI({ maxRetries: 0 })));
await provider.shutdown();
