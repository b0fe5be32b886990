import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import {
  badDirectoryEntries,
  badDownloadNames,
  badHosts,
  badOrigins,
  badOtlpRequests,
  badRanges,
  badRawRequests,
  badRequestTargets,
} from "@thoughtflow/testkit";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { requestOf, toolSpan } from "../testing/received-spans.ts";
import { type RunningServer, runningServer } from "../testing/running-server.ts";

const SECRET = "what nobody may read";

let here: RunningServer;
beforeAll(async () => {
  here = await runningServer({ headersTimeoutMs: 300, requestTimeoutMs: 600 });
  await here.post(requestOf(toolSpan(1)));
  await here.server.flush();
});
afterAll(() => here.remove());
/** Whatever came before, the server takes spans and gives files. */
afterEach(async () => {
  expect((await here.post(requestOf(toolSpan(1)))).status).toBe(200);
  expect((await here.get("/thoughtflow/s.json")).status).toBe(200);
  expect(here.failures).toEqual([]);
});

/** What comes back for these bytes until the connection is closed, by whom that may be. */
function said(text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(here.port, "127.0.0.1", () => socket.write(text, "latin1"));
    let answer = "";
    socket.on("data", (piece) => {
      answer += piece.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(answer));
  });
}

function statusIn(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);
}

/** The same where the request is whole; the connection ends with the answer. */
async function statusOf(text: string): Promise<number> {
  return statusIn(await said(text.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n")));
}

/** With the token: a request for a path, and more headers. */
function shown(target: string, ...headers: readonly string[]): string {
  const own = headers.some((line) => line.startsWith("Host:")) ? [] : ["Host: localhost"];
  const lines = [`GET ${target} HTTP/1.1`, ...own, `Authorization: Bearer ${here.token}`];
  return `${[...lines, ...headers].join("\r\n")}\r\n\r\n`;
}

test.each(badOtlpRequests.map((input, n) => ({ n, ...input })))(
  "$item $name ($n): the receiver answers as it must",
  async ({ value: { headers, body, status } }) => {
    const answer = await fetch(`${here.url}/v1/traces`, {
      method: "POST",
      headers: { ...headers },
      body: body as Uint8Array<ArrayBuffer>,
    });
    expect(answer.status).toBe(status);
  },
);

test.each(badRawRequests.map((input, n) => ({ n, ...input })))(
  "$item $name ($n): a request of any form has its answer",
  async ({ value: { text, status } }) => {
    expect(await statusOf(text)).toBe(status);
  },
);

describe("with the token", () => {
  test.each(badRequestTargets)("$item $value leads to no file", async ({ value }) => {
    writeFileSync(join(here.dir, "..", "x"), SECRET);
    writeFileSync(join(here.dir, "x"), SECRET);
    for (const target of [value, `/thoughtflow${value}`]) {
      const answer = await said(shown(target, "Connection: close"));
      expect([200, 400, 404, 421]).toContain(statusIn(answer));
      expect(answer).not.toContain(SECRET);
    }
  });

  test.each(badHosts)("$item the host $value is not this server", async ({ value }) => {
    const answer = await said(shown("/thoughtflow/s.json", `Host: ${value}`, "Connection: close"));
    expect([400, 421]).toContain(statusIn(answer));
    expect(answer).not.toContain("conversations");
  });

  test.each(badOrigins)("$item a page of $value gets nothing", async ({ value }) => {
    expect(await statusOf(shown("/thoughtflow/s.json", `Origin: ${value}`))).toBe(403);
  });

  test.each(badRanges)("$item a range gets the whole file: $value", async ({ value }) => {
    const answer = await said(shown("/thoughtflow/s.json", `Range: ${value}`, "Connection: close"));
    expect([statusIn(answer), answer.includes('"session_id": "s"')]).toEqual([200, true]);
  });

  test.each(badDirectoryEntries)("$item a $value is no file of a session", async ({ value }) => {
    writeFileSync(join(here.dir, "..", "elsewhere.json"), SECRET);
    const path = join(here.dir, "entry.json");
    rmSync(path, { recursive: true, force: true });
    if (value === "fifo") execFileSync("mkfifo", [path]);
    else if (value === "directory") mkdirSync(path);
    else symlinkSync(value === "link to a file" ? "../elsewhere.json" : "..", path);
    expect((await here.get("/thoughtflow/entry.json")).status).toBe(404);
    expect(await (await here.get("/thoughtflow/index.json")).text()).not.toContain("entry");
  });

  test.each(badDownloadNames)("$item a session of the name $value is served", async ({ value }) => {
    const attributes = { "session.id": value };
    const traceId = randomBytes(16).toString("hex");
    await here.post(requestOf(toolSpan(2, { traceId, attributes })));
    await here.server.flush();
    const answer = await here.get(`/thoughtflow/${encodeURIComponent(value)}.json`);
    expect(answer.headers.get("set-cookie")).toBe(null);
    expect(((await answer.json()) as { session_id: string }).session_id).toBe(value);
  });
});

test("a file that is replaced while it is sent is sent as it was, whole", async () => {
  const told = (n: number, words: string) => {
    const attributes = { "session.id": "large", "gen_ai.operation.name": "execute_tool" };
    const content = { "gen_ai.tool.call.result": JSON.stringify(words) };
    return requestOf(toolSpan(n, { traceId: "5".repeat(32), attributes, content }));
  };
  for (let n = 0; n < 20; n++) await here.post(told(n + 1, `${n} `.repeat(200_000)));
  await here.server.flush();
  const before = await (await here.get("/thoughtflow/large.json")).text();
  const answer = await here.get("/thoughtflow/large.json");
  const reader = answer.body?.getReader();
  const first = await reader?.read();
  await here.post(told(21, "the last word"));
  await here.server.flush();
  const pieces = [first?.value ?? new Uint8Array()];
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
    pieces.push(next.value);
  expect(Buffer.concat(pieces).toString() === before).toBe(true);
  const after = await here.get("/thoughtflow/large.json");
  expect(after.headers.get("etag")).not.toBe(answer.headers.get("etag"));
  expect(await after.text()).toContain("the last word");
});
