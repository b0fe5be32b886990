import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { thoughtflow } from "../thoughtflow.ts";

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), "serve-"));
});
afterEach(() => rmSync(cwd, { recursive: true }));

test("--print-config shows what it goes by: the command line before variables before the file", async () => {
  writeFileSync(join(cwd, "server.json"), JSON.stringify({ port: 1, maxSpans: 7, maxRatio: 8 }));
  const env = {
    THOUGHTFLOW_SERVER_PORT: "2",
    THOUGHTFLOW_SERVER_MAX_RATIO: "9",
    THOUGHTFLOW_SERVER_TOKEN: "a-token-that-is-secret",
    THOUGHTFLOW_SERVER_ALLOWED_HOSTS: "one, two",
  };
  const io = capturedIo(cwd, { env });
  const argv = ["serve", "--port", "3", "--config", "server.json", "--print-config"];
  expect(await thoughtflow(argv, io)).toBe(0);
  expect(JSON.parse(io.stdout())).toMatchObject({
    dir: join(cwd, "thoughtflow"),
    host: "127.0.0.1",
    port: 3,
    maxSpans: 7,
    maxRatio: 9,
    allowedHosts: ["one", "two"],
    token: "[not shown]",
  });
});

test("a setting that it doesn't know, or can't go by, is named, with its value", async () => {
  const io = capturedIo(cwd, { env: { THOUGHTFLOW_SERVER_MAX_SPANS: "many" } });
  expect(await thoughtflow(["serve"], io)).toBe(3);
  expect(io.stderr()).toContain('maxSpans "many": ');
  const open = capturedIo(cwd);
  expect(await thoughtflow(["serve", "--host", "0.0.0.0"], open)).toBe(3);
  expect(open.stderr()).toContain('host "0.0.0.0": others reach it there');
});

test("it says where it listens, and ends when it is asked to", async () => {
  const io = capturedIo(cwd);
  expect(await thoughtflow(["serve", "--port", "0", "--dir", "flows"], io)).toBe(0);
  expect(io.stdout()).toMatch(
    /^OTLP\/HTTP at http:\/\/127\.0\.0\.1:\d+\/v1\/traces, files in flows\nSessions at http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n$/,
  );
  expect(io.stderr()).toBe("0 spans taken, 0 documents written.\n");
});
