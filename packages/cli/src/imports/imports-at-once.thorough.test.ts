import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { runCli, startCli } from "../../testing/spawned-cli.ts";

/** So many answers that the import of them takes a while. */
const ANSWERS = 3_000;

/** A transcript, or a copy of it in which every record has an id of its own, as programs around Claude Code make it. */
function transcript(sessionId: string, answers: number): string {
  const uuidOf = (nth: number) => `${sessionId}-0000-4000-8000-${String(nth).padStart(12, "0")}`;
  const line = (nth: number, record: object): string =>
    `${JSON.stringify({
      ...{ parentUuid: nth === 0 ? null : uuidOf(nth - 1), uuid: uuidOf(nth), sessionId },
      timestamp: new Date(Date.UTC(2026, 0, 1) + nth * 1_000).toISOString(),
      ...record,
    })}\n`;
  let text = "";
  for (let nth = 0; nth < answers; nth++) {
    const name = String(nth).padStart(6, "0");
    text += line(2 * nth, { type: "user", message: { role: "user", content: `Ask ${name}` } });
    text += line(2 * nth + 1, {
      type: "assistant",
      requestId: `req_011CVJ517iGrQqjVF${name}`,
      message: {
        ...{ id: `msg_01H4wg8bFy2psdmQvJM${name}`, role: "assistant", model: "claude-opus-4-8" },
        content: [{ type: "text", text: `Told ${name}` }],
        usage: { input_tokens: 100, output_tokens: 10 },
      },
    });
  }
  return text;
}

const files = {
  "first.jsonl": transcript("aaaaaaaa", ANSWERS),
  "copy.jsonl": transcript("bbbbbbbb", ANSWERS + 1),
};

function callsIn(dir: string): number {
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(dir, name), "utf8")).totals.model_calls)
    .reduce((sum, calls) => sum + calls, 0);
}

test("two imports at once into a new directory count what both files tell once", async () => {
  const cwd = directoryWith(files);
  const imported = (file: string) => runCli(["import", "claude-code", file, "--out", "flows"], cwd);
  const both = await Promise.all([imported("first.jsonl"), imported("copy.jsonl")]);
  expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  expect(callsIn(join(cwd, "flows"))).toBe(ANSWERS + 1);
});

test("an import that was killed after it had told something leaves nothing that the next one counts twice", async () => {
  const cwd = directoryWith(files);
  const flows = join(cwd, "flows");
  const killed = startCli(["import", "claude-code", "first.jsonl", "--out", "flows"], cwd);
  while (!existsSync(join(flows, ".journal")) && killed.exitCode === null) await setTimeout(5);
  await setTimeout(100);
  killed.kill("SIGKILL");
  await once(killed, "close");
  expect(killed.signalCode).toBe("SIGKILL");
  for (const file of ["copy.jsonl", "first.jsonl"]) {
    const { exitCode } = await runCli(["import", "claude-code", file, "--out", "flows"], cwd);
    expect(exitCode).toBe(0);
    expect(callsIn(flows)).toBe(ANSWERS + 1);
  }
});

test("an import that reads nothing leaves no directory", async () => {
  const cwd = directoryWith({ "x.jsonl": "{}\n" });
  const { exitCode } = await runCli(
    ["import", "claude-code", "x.jsonl", "--out", "new/flows"],
    cwd,
  );
  expect({ exitCode, left: readdirSync(cwd) }).toEqual({ exitCode: 1, left: ["x.jsonl"] });
});
