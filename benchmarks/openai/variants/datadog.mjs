import { once } from "node:events";
import { Worker } from "node:worker_threads";
import tracer from "dd-trace";

/** Needs `--import dd-trace/register.js`. What it sends goes to an agent in another thread, which drops it. */
export async function start(options) {
  const agent = new Worker(new URL("datadog-agent.mjs", import.meta.url));
  agent.unref();
  const [port] = await once(agent, "message");
  tracer.init({
    url: `http://127.0.0.1:${port}`,
    startupLogs: false,
    remoteConfig: { enabled: false },
    llmobs: { mlApp: "benchmark", agentlessEnabled: false },
  });
  const { OpenAI } = await import("openai");
  return {
    client: new OpenAI(options),
    async settle() {
      tracer.llmobs.flush();
      await new Promise((done) => tracer._tracer._exporter.flush(done));
    },
    inRun: (work) => tracer.trace("run", work),
    async recorded() {
      agent.postMessage("recorded?");
      const [text] = await once(agent, "message");
      return text;
    },
  };
}
