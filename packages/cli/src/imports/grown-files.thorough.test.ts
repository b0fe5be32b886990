import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const fixtures = fileURLToPath(new URL("../../fixtures/", import.meta.url));

interface TimedLine {
  readonly file: string;
  readonly text: string;
  /** When it was written, milliseconds since 1970; that of the line before where it doesn't tell. */
  readonly ms: number;
}

function linesIn(folder: string): readonly TimedLine[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => {
      let latest = 0;
      const texts = readFileSync(join(folder, file), "utf8").split("\n");
      return texts
        .filter((text) => text !== "")
        .map((text) => {
          const time = Date.parse(/"timestamp":"([^"]+)"/.exec(text)?.[1] ?? "");
          if (time > latest) latest = time;
          return { file, text, ms: latest };
        });
    });
}

/** The files as they were when so great a share of the lines was written. */
function writeShare(lines: readonly TimedLine[], share: number, into: string): void {
  const times = lines.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const until = times[Math.ceil(share * times.length) - 1] ?? 0;
  const texts = new Map<string, string>();
  for (const { file, text, ms } of lines)
    if (ms <= until) texts.set(file, `${texts.get(file) ?? ""}${text}\n`);
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(into, file)), { recursive: true });
    writeFileSync(join(into, file), text);
  }
}

/** Without what tells how often it was told. */
function sessionsIn(directory: string): Readonly<Record<string, Partial<Session>>> {
  const names = readdirSync(directory).filter((name) => name.endsWith(".json"));
  return Object.fromEntries(
    names.map((name) => {
      const { revision: _, ...session } = JSON.parse(
        readFileSync(join(directory, name), "utf8"),
      ) as Session;
      return [name, session];
    }),
  );
}

test.each([
  ["claude-code", "claude-code-edge"],
  ["claude-code", "claude-code-entire"],
  ["claude-code", "claude-code-scripted"],
  ["claude-code", "claude-code-stream-scripted"],
  ["claude-code", "claude-code-viewer"],
  ["codex", "codex-scripted"],
  ["pi", "pi-headless"],
])(
  "%s: sessions of %s that were imported while they grew are those of one import",
  async (format, folder) => {
    const lines = linesIn(join(fixtures, folder));
    const cwd = directoryWith();
    for (const share of [0.2, 0.45, 0.7, 0.9, 1]) {
      writeShare(lines, share, join(cwd, "files"));
      await thoughtflow(["import", format, "files", "--out", "grown"], capturedIo(cwd));
    }
    await thoughtflow(["import", format, "files", "--out", "fresh"], capturedIo(cwd));
    const fresh = sessionsIn(join(cwd, "fresh"));
    expect(Object.keys(fresh).length).toBeGreaterThan(0);
    expect(sessionsIn(join(cwd, "grown"))).toEqual(fresh);
  },
);
