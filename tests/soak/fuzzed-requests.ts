import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { encodeJsonRequest, encodeProtobufRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { SpanRecord } from "@thoughtflow/schema";
import { createFlowServer, resolveServerOptions } from "@thoughtflow/server";
import { createRandom } from "@thoughtflow/testkit";

const CONNECTIONS = 8;
/** Of memory, once what is compiled and remembered is there: the part of the requests that it takes. */
const MOST_GROWTH_MIB = 32;
const WARM_UP_PART = 1 / 5;

/**
 * Sends so many requests whose bytes were changed at random, in protobuf and JSON, to a receiver in this process; says what
 * is wrong: an answer that is none of 200, 400, 413 and 429, no answer, or memory that grows after the first fifth of them.
 */
export async function fuzzedRequests(count: number): Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-fuzz-"));
  const server = createFlowServer(
    resolveServerOptions({ dir, port: 0, maxDiskBytes: 256 * 2 ** 20 }),
  );
  const { port } = await server.listen();
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const answers = new Map<number, number>();
  const random = createRandom(7);
  const base = resident();
  let settled = base;
  let most = base;
  let next = 0;

  async function sendOnes(): Promise<void> {
    while (next < count) {
      const n = next++;
      const isJson = n % 3 === 0;
      const status = await sent(port, agent, changed(bodyOf(n, isJson), random), isJson);
      answers.set(status, (answers.get(status) ?? 0) + 1);
      if (n === Math.floor(count * WARM_UP_PART)) settled = most = resident();
      if (n % 1_000 === 0) most = Math.max(most, resident());
      if (n > 0 && n % 100_000 === 0)
        console.log(`${n} requests, ${Math.round(resident())} MiB, ${told(answers)}`);
    }
  }

  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, sendOnes));
    const growth = resident() - settled;
    console.log(
      `${count} requests: ${told(answers)}; memory ${Math.round(base)} MiB, then ${Math.round(settled)}, ${growth.toFixed(1)} more at the end, ${(most - settled).toFixed(1)} more at most`,
    );
    const odd = [...answers].filter(([status]) => ![200, 400, 413, 429].includes(status));
    return [
      ...odd.map(([status, times]) => `${times} requests were answered with ${status}`),
      ...(Math.max(growth, most - settled) > MOST_GROWTH_MIB
        ? [`memory grew by ${growth.toFixed(1)} MiB, ${(most - settled).toFixed(1)} at most`]
        : []),
    ];
  } finally {
    agent.destroy();
    await server.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function resident(): number {
  globalThis.gc?.();
  return process.memoryUsage.rss() / 2 ** 20;
}

function told(answers: ReadonlyMap<number, number>): string {
  return [...answers].map(([status, times]) => `${times} × ${status}`).join(", ");
}

/** So many requests are of an agent's spans, of which documents are made. */
const ONE_OF_AN_AGENT_IN = 500;
/** So many of these have the ids of the one before, and tell something else. */
const ONE_CONFLICTS_IN = 5;
const SESSIONS = 100;

/** Two spans, whose ids are those of no other request, or of one. */
function bodyOf(n: number, isJson: boolean): Buffer {
  const isOfAgent = n % ONE_OF_AN_AGENT_IN === 0;
  const isConflict = isOfAgent && (n / ONE_OF_AN_AGENT_IN) % ONE_CONFLICTS_IN === 1;
  const ids = isConflict ? n - ONE_OF_AN_AGENT_IN : n;
  const spans = spansOfRecords([2 * ids + 1, 2 * ids + 2].map((id) => span(id, isOfAgent, n)));
  return Buffer.from((isJson ? encodeJsonRequest : encodeProtobufRequest)(spans));
}

function span(n: number, isOfAgent: boolean, request: number): SpanRecord {
  const session = Math.floor(n / (2 * ONE_OF_AN_AGENT_IN)) % SESSIONS;
  return {
    type: "span_end",
    traceId: (1 + session).toString(16).padStart(32, isOfAgent ? "a" : "b"),
    spanId: n.toString(16).padStart(16, "0"),
    name: "chat m",
    kind: "client",
    startTimeUnixNano: "1795183471000000000",
    endTimeUnixNano: "1795183472000000000",
    status: { code: "unset" },
    attributes: {
      list: ["a", "b"],
      n: request + 0.5,
      ...(isOfAgent && { "session.id": `s${session}`, "gen_ai.operation.name": "chat" }),
    },
    ...(isOfAgent && {
      content: { "gen_ai.input.messages": JSON.stringify([{ role: "user", parts: [] }]) },
    }),
    events: [{ name: "e", timeUnixNano: "1", attributes: { a: 1 } }],
    links: [{ traceId: "2".repeat(32), spanId: "3".repeat(16), attributes: {} }],
    scope: { name: "fuzz" },
    resource: { "service.name": "fuzz" },
  };
}

/** One to four bytes are others, left out, or there again; sometimes the end is missing. */
function changed(body: Buffer, random: () => number): Buffer {
  let bytes = Buffer.from(body);
  for (let changes = 1 + Math.floor(random() * 4); changes > 0; changes -= 1) {
    const at = Math.floor(random() * bytes.length);
    const kind = random();
    if (kind < 0.6) bytes[at] = Math.floor(random() * 256);
    else if (kind < 0.75) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]);
    else if (kind < 0.9) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at / 2)]);
    else bytes = bytes.subarray(0, at + 1);
  }
  return bytes;
}

/** The status; 0 for none. */
function sent(port: number, agent: Agent, body: Buffer, isJson: boolean): Promise<number> {
  return new Promise((resolve) => {
    const type = isJson ? "application/json" : "application/x-protobuf";
    const options = {
      port,
      agent,
      path: "/v1/traces",
      method: "POST",
      headers: { "Content-Type": type },
    };
    const asked = request(options, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
    });
    asked.on("error", () => resolve(0));
    asked.end(body);
  });
}
