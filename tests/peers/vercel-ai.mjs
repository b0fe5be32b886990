import { createOpenAI } from "@ai-sdk/openai";
import { OpenTelemetry } from "@ai-sdk/otel";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { inSpan, question, tools } from "./tool-loop.mjs";
import { provider } from "./tracing.mjs";

const openai = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL, apiKey: "none" });
const inputSchema = jsonSchema({ type: "object", properties: {} });
await inSpan(() =>
  generateText({
    model: openai.chat("gpt-4o-mini"),
    prompt: question,
    stopWhen: stepCountIs(5),
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, execute]) => [name, tool({ inputSchema, execute })]),
    ),
    telemetry: { isEnabled: true, integrations: [new OpenTelemetry()] },
  }),
);
await provider.shutdown();
