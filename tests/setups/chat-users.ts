import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { completion } from "./completion.ts";

const app = join(import.meta.dirname, "apps", "chat-server.mjs");

/** What a chat server did for its users. */
export interface Served {
  /** From the first request to the last answer. */
  readonly servingMs: number;
  /** From SIGTERM to the end of the process. */
  readonly endingMs: number;
  readonly maxRssMb: number;
  readonly stderr: string;
}

export interface ChatUsersOptions {
  readonly users: number;
  /** Whose the conversation is: the server keeps it, or the browser sends it along, as new objects each time. */
  readonly keeper: "server" | "browser";
  /** Arguments of Node before the app. */
  readonly nodeArgs: readonly string[];
  readonly flowDir: string;
}

/** How many users wait for an answer at any time. */
const CONCURRENCY = 20;

/** Users who all say "hi", all get the same answer, and all say "and now?": everybody's turn after everybody's. */
export async function serveChatUsers(options: ChatUsersOptions): Promise<Served> {
  const { users, keeper, nodeArgs, flowDir } = options;
  const answer = completion({ content: "Hello!" }).response.body;
  const model = createServer((request, response) => {
    request.resume().on("end", () => {
      response.writeHead(200, { "content-type": "application/json" }).end(answer);
    });
  });
  await once(model.listen(0, "127.0.0.1"), "listening");
  const address = model.address();
  const modelPort = typeof address === "object" ? address?.port : undefined;

  const server = spawn(process.execPath, [...nodeArgs, app], {
    env: {
      PATH: process.env["PATH"],
      BASE_URL: `http://127.0.0.1:${modelPort}/v1`,
      THOUGHTFLOW_DIR: flowDir,
    },
  });
  const ended = once(server, "close");
  let stderr = "";
  server.stderr.on("data", (text) => {
    stderr += text;
  });
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const { value: port } = await lines.next();

  const histories = new Map<number, unknown[]>();
  const ask = async (user: number, text: string) => {
    const messages = keeper === "browser" ? (histories.get(user) ?? []) : undefined;
    const body = JSON.stringify({ user, text, messages });
    const response = await fetch(`http://127.0.0.1:${port}`, { method: "POST", body });
    histories.set(user, (await response.json()) as unknown[]);
  };
  const begin = performance.now();
  for (const text of ["hi", "and now?"]) {
    const waiting = Array.from({ length: users }, (_, user) => user).values();
    const turns = async () => {
      for (const user of waiting) await ask(user, text);
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, turns));
  }
  const answered = performance.now();
  server.kill("SIGTERM");
  const { value: maxRss } = await lines.next();
  await ended;
  const end = performance.now();
  model.closeAllConnections();
  model.close();
  return {
    servingMs: answered - begin,
    endingMs: end - answered,
    maxRssMb: Number(maxRss) / 1024,
    stderr,
  };
}
