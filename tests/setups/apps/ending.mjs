// An app with an OpenTelemetry of its own that ends, in the way its argument says, while a request is being answered.
import { trace } from "@opentelemetry/api";
import OpenAI from "openai";

const ENDINGS = {
  "by itself": () => {},
  "by process.exit(3)": () => process.exit(3),
  "by an error": () => {
    throw new Error("nobody catches this");
  },
  "by SIGTERM": terminate,
  "by SIGTERM that it handles once": terminate,
};

function terminate() {
  setInterval(() => {}, 1000);
  process.kill(process.pid, "SIGTERM");
}

const [ending] = process.argv.slice(2);
if (ending.includes("once")) {
  process.once("SIGTERM", () => {
    console.log("closing");
    setTimeout(() => process.exit(5), 50);
  });
}

const client = new OpenAI({ apiKey: "none", baseURL: process.env.BASE_URL, maxRetries: 0 });
await trace.getTracer("app").startActiveSpan("POST /ask", async (request) => {
  await client.chat.completions.create({
    model: "m",
    messages: [{ role: "user", content: "hello" }],
  });
  request.end();
});
await client.chat.completions.create({
  model: "m",
  messages: [{ role: "user", content: "add one and two" }],
});
ENDINGS[ending]();
