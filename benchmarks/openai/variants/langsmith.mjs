import { Client } from "langsmith";
import { traceable } from "langsmith/traceable";
import { wrapOpenAI } from "langsmith/wrappers/openai";
import OpenAI from "openai";
import { arrivals, arrive } from "../null-sink.mjs";

/** Keeps references and serialises nothing. */
const nullClient = {
  async createRun(run) {
    arrive(run);
  },
  async updateRun(_id, run) {
    arrive(run);
  },
  async awaitPendingTraceBatches() {},
};

/** The real client; its `fetch` is answered at once, in the process. */
function realClient() {
  return new Client({
    apiKey: "none",
    apiUrl: "https://langsmith.invalid",
    fetchImplementation: async (_url, init) => {
      if (init?.body !== undefined) arrive(`${await new Response(init.body).text()}`);
      return new Response("{}", { status: 202, headers: { "content-type": "application/json" } });
    },
    autoBatchTracing: true,
    disablePromptCache: true,
  });
}

export function start(options, { real }) {
  const client = real ? realClient() : nullClient;
  const config = { client, tracingEnabled: true };
  return {
    client: wrapOpenAI(new OpenAI(options), config),
    settle: () => client.awaitPendingTraceBatches(),
    inRun: traceable((work) => work(), { name: "run", ...config }),
    recorded: arrivals,
  };
}
