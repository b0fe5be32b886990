import * as Sentry from "@sentry/node";
import { arrivals, arrive } from "../null-sink.mjs";

/** Takes every envelope, and lets it go. */
const nullTransport = () => ({
  async send(envelope) {
    arrive(envelope);
    return {};
  },
  flush: async () => true,
});

/** Needs `--import @sentry/node/import`, which patches openai as it is loaded. */
export async function start(options) {
  Sentry.init({
    dsn: "https://public@sentry.invalid/1",
    tracesSampleRate: 1,
    transport: nullTransport,
    integrations: [Sentry.openAIIntegration({ recordInputs: true, recordOutputs: true })],
  });
  const { OpenAI } = await import("openai");
  return {
    client: new OpenAI(options),
    settle: () => Sentry.flush(),
    inRun: (work) => Sentry.startSpan({ name: "run" }, work),
    recorded: arrivals,
  };
}
