import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRandom } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { anyTranscript } from "../../testing/any-transcript.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { runCli } from "../../testing/spawned-cli.ts";

const preload = fileURLToPath(new URL("../../testing/peak-memory.mjs", import.meta.url));

/** Writes sessions of at least so many bytes, each with ids and words of its own. */
function writeSessions(dir: string, sessions: number, bytes: number): void {
  mkdirSync(dir);
  for (let n = 0; n < sessions; n++) {
    const own = n.toString(16).padStart(4, "0");
    const lines = anyTranscript(createRandom(n)).map((record) =>
      JSON.stringify(record)
        .replaceAll("-0000-4000-8000-", `-${own}-4000-8000-`)
        .replaceAll(/(msg|toolu)_0{4}/g, `$1_${own}`),
    );
    // Nobody answered this, so no step comes of it but what was said.
    const rest = Math.max(bytes - lines.join("\n").length, 0);
    const message = { role: "user", content: `${own} `.repeat(Math.ceil(rest / 5)) };
    const [first = "{}"] = lines;
    const { parentUuid: _, ...said } = JSON.parse(first) as Record<string, unknown>;
    lines.push(JSON.stringify({ ...said, type: "user", uuid: `${own}-last`, message }));
    writeFileSync(join(dir, `${own}.jsonl`), `${lines.join("\n")}\n`);
  }
}

/** How much memory an import into a directory held at most, MB. */
async function peakOf(words: readonly string[], cwd: string): Promise<number> {
  const env = { NODE_OPTIONS: `--import=${preload}` };
  const { stderr, exitCode } = await runCli(["import", "claude-code", ...words], cwd, env);
  expect(exitCode).toBe(0);
  return Number(/^peak (\d+) MB$/m.exec(stderr)?.[1]);
}

test("an import of thousands of short sessions holds no more than a few", async () => {
  const cwd = directoryWith();
  writeSessions(join(cwd, "few"), 10, 12_000);
  writeSessions(join(cwd, "many"), 3_000, 12_000);
  const few = await peakOf(["few", "--out", "few-out"], cwd);
  const many = await peakOf(["many", "--out", "many-out"], cwd);
  const written = readdirSync(join(cwd, "many-out")).filter((name) => name.endsWith(".json"));
  expect(written).toHaveLength(3_000);
  expect(many - few).toBeLessThan(190);
});
