import { setImmediate as macrotask, setTimeout as sleep } from "node:timers/promises";
import type { Exchange, ReplayServer, ReplayServerOptions } from "@thoughtflow/testkit";
import { createReplayServer } from "@thoughtflow/testkit";
import type OpenAI from "openai";

/** An app that is run twice, once with openai as it is and once observed: all that it notices must be equal. */
export interface Scenario {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  readonly server?: ReplayServerOptions;
  /** Whether the observed run's spans show what was said. Default true. */
  readonly content?: boolean;
  /** Gives back all that the app noticed. */
  readonly app: (client: OpenAI, server: ReplayServer) => Promise<unknown>;
}

/** What an app noticed, what the server saw of it, and the rejections that nobody handled. */
export interface Noticed {
  readonly result: unknown;
  readonly requests: readonly { body: unknown; aborted: boolean }[];
  readonly unhandled: readonly string[];
}

/** Runs a scenario's app with a client of this class. */
export async function notice(
  Client: typeof OpenAI,
  { exchanges, server: options, app }: Scenario,
): Promise<Noticed> {
  const unhandled: string[] = [];
  const listeners = process.rawListeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (reason) => unhandled.push(String(reason)));
  try {
    await using server = await createReplayServer(exchanges, options);
    const client = new Client({ apiKey: "k", baseURL: `${server.url}/v1`, maxRetries: 1 });
    const result = await app(client, server);
    await settled(server);
    const requests = server.requests.map(({ body, aborted }) => ({ body, aborted }));
    return { result, requests, unhandled };
  } finally {
    await macrotask();
    process.removeAllListeners("unhandledRejection");
    for (const listener of listeners) {
      process.on("unhandledRejection", listener as NodeJS.UnhandledRejectionListener);
    }
  }
}

/** Until the server is done with every request, sent or given up by the client; then a moment for the client. */
async function settled({ requests }: ReplayServer): Promise<void> {
  const isOpen = (): boolean => requests.some(({ answered, aborted }) => !answered && !aborted);
  for (let waited = 0; waited < 2_000 && isOpen(); waited += 5) await sleep(5);
  await sleep(30);
}

/** What a promise gives, or what an app sees of the error that it throws. */
export async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    const thrown = error as Error & Record<string, unknown>;
    const { message, status, code } = thrown;
    return { class: thrown.constructor.name, message, status, code };
  }
}
