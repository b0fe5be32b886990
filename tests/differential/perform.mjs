import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { createReplayServer } from "@thoughtflow/testkit";
import { outcome, portrait } from "./noticed.mjs";

/**
 * Runs a scenario's app against a loopback server that gives its answers, and returns all that can be noticed: what
 * the app got, in what order things happened, what the server was asked and which requests were given up, rejections
 * that nobody handled, and warnings.
 */
export async function perform({ answers = [], server: options, app }, sdk) {
  const unhandled = [];
  const warnings = [];
  const log = [];
  const onRejection = (reason) => unhandled.push(portrait(reason));
  const onWarning = ({ name, code, message }) => warnings.push({ name, code, message });
  process.on("unhandledRejection", onRejection);
  process.on("warning", onWarning);
  const server = await createReplayServer(
    answers.flatMap(({ exchange }) => (exchange === undefined ? [] : [exchange])),
    {
      ...options,
      faults: Object.fromEntries(
        answers.map(({ fault }, at) => [at, fault]).filter(([, fault]) => fault),
      ),
    },
  );
  try {
    const note = (...words) => {
      log.push(portrait(words));
    };
    const settings = { apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 1 };
    const clientWith = (more) => new sdk.OpenAI({ ...settings, ...more });
    const until = (condition) => eventually(condition);
    const requested = (count) => until(() => server.requests.length >= count);
    const tools = { client: clientWith(), clientWith, settings, sdk, server, note, requested };
    const ending = await outcome(() => Promise.race([app(tools), patience()]));
    await settled(server);
    const requests = server.requests.map(({ method, path, headers, body, aborted }) => ({
      ...{ method, path, aborted },
      body: portrait(body),
      headers: portrait({ ...headers, host: "HOST" }),
    }));
    return { ending, log, requests, unhandled, warnings };
  } finally {
    await server.close();
    await macrotask();
    process.off("unhandledRejection", onRejection);
    process.off("warning", onWarning);
  }
}

/** Lets the garbage collector find what nobody holds any more, and those who wait for that hear of it. */
export async function collectGarbage() {
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  for (let round = 0; round < 6; round++) {
    await sleep(2);
    gc();
  }
  await sleep(5);
}

/** A promise that never settles is noticed, too. */
async function patience() {
  await sleep(20_000, undefined, { ref: false });
  return "never settles";
}

/** Until the server is done with every request, answered or given up by the client; then a moment for the client. */
async function settled({ requests }) {
  await eventually(() => requests.every(({ answered, aborted }) => answered || aborted));
  await sleep(4);
}

/** Waits for something that the network brings; gives up after two seconds, and the comparison shows it. */
async function eventually(condition) {
  for (let waited = 0; waited < 1_000 && !condition(); waited++) await sleep(2);
}
