import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { ThoughtFlowOptions } from "@thoughtflow/node";
import { createReplayServer, toExchange } from "@thoughtflow/testkit";
import { REGISTER, runNode } from "../setups/run-app.ts";

/** Every byte that left the app, by where it went. */
export type Sinks = Readonly<
  Record<"json" | "d2" | "svg" | "journal" | "other files" | "OTLP" | "logs" | "output", string>
>;

const APP = join(import.meta.dirname, "app.mjs");
const START = join(import.meta.dirname, "start.mjs");

/**
 * Runs the app that gives secrets away, and collects what came of it in every sink.
 *
 * @param options Of `startThoughtFlow`; default: the register hook starts it, as the environment says.
 */
export async function sinksOf(
  answers: readonly (readonly [path: string, body: unknown, options?: object])[],
  environment: Readonly<Record<string, string>>,
  options?: ThoughtFlowOptions,
): Promise<Sinks> {
  const dir = await mkdtemp(join(tmpdir(), "planted-"));
  const sent: Buffer[] = [];
  const receiver = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => pieces.push(piece));
    request.on("end", () => {
      const body = Buffer.concat(pieces);
      sent.push(request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
      response.writeHead(200).end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const address = receiver.address();
  const port = typeof address === "object" ? address?.port : undefined;
  try {
    const exchanges = answers.map(([path, body, options]) => toExchange(path, body, options));
    await using server = await createReplayServer(exchanges, { splitSeed: 7 });
    const { code, stdout, stderr } = await runNode(
      ["--import", options === undefined ? REGISTER : START, APP],
      {
        ...(options !== undefined && { OPTIONS: JSON.stringify(options) }),
        PATH: process.env["PATH"],
        BASE_URL: `${server.url}/v1`,
        LOGS: join(dir, "app.log"),
        THOUGHTFLOW_DIR: join(dir, "flow"),
        THOUGHTFLOW_LOG_LEVEL: "all",
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
        ...environment,
      },
    );
    if (code !== 0) throw new Error(`the app ended with ${code}: ${stderr}`);
    const files = await readFiles(join(dir, "flow"));
    const those = (isMeant: (name: string) => boolean) =>
      files.flatMap(([name, text]) => (isMeant(name) ? [`${name}\n${text}`] : [])).join("\n");
    const endOf = (name: string) => /\.(json|d2|svg)$/.exec(name)?.[1] ?? "";
    const isJournal = (name: string) => name.includes(".journal");
    return {
      json: those((name) => endOf(name) === "json" && !isJournal(name)),
      d2: those((name) => endOf(name) === "d2"),
      svg: those((name) => endOf(name) === "svg"),
      journal: those(isJournal),
      "other files": those((name) => endOf(name) === "" && !isJournal(name)),
      OTLP: Buffer.concat(sent).toString("latin1"),
      logs: await readFile(join(dir, "app.log"), "utf8").catch(() => ""),
      output: stdout + stderr,
    };
  } finally {
    receiver.close();
    await rm(dir, { recursive: true });
  }
}

async function readFiles(dir: string): Promise<(readonly [name: string, text: string])[]> {
  const entries = await readdir(dir, { recursive: true, withFileTypes: true });
  return Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = join(parentPath, name);
        return [path, await readFile(path, "latin1")] as const;
      }),
  );
}
