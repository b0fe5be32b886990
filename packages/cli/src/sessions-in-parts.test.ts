import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  createFlowDirectory,
  createPartWriter,
  fileNameOf,
  realFileSystem,
} from "@thoughtflow/journal";
import type { Session } from "@thoughtflow/schema";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { documentInParts } from "@thoughtflow/schema/document-parts";
import { expect, test } from "vitest";
import { capturedIo } from "../testing/captured-io.ts";
import { directoryWith } from "../testing/flow-directory.ts";
import { specimenSession } from "../testing/specimen-session.ts";
import { TARGETS } from "./conversions/targets.ts";
import { thoughtflow } from "./thoughtflow.ts";

const MOST_BYTES = 3_000;

const blob = "ab".repeat(32);
const [run] = specimenSession.conversations;

/** The specimen, its run again with longer texts, and one with a large text. */
const session: Session = {
  ...specimenSession,
  conversations: [
    ...specimenSession.conversations,
    {
      conversation_id: "long",
      steps: (run?.steps ?? []).map((step) => ({
        ...step,
        payload_completed: { ...step.payload_completed, said: "x ".repeat(2_000) },
      })),
    },
    {
      conversation_id: "large",
      steps: [
        {
          step_id: "blob",
          label: "node",
          payload_started: {
            name: "n",
            args: { $blob: { sha256: blob, bytes: 2, media_type: "text/plain" } },
          },
        },
      ],
    },
  ],
};
const name = fileNameOf(session.session_id);

function directoryInParts(): string {
  const cwd = directoryWith({ [`thoughtflow/blobs/${blob}`]: "hi" });
  const dir = join(cwd, "thoughtflow");
  const sessionId = session.session_id;
  const { write } = createPartWriter(createFlowDirectory(dir, realFileSystem), sessionId, {});
  const options = { sessionId, mostBytes: MOST_BYTES, writePart: write };
  writeFileSync(join(dir, `${name}.json`), [...documentInParts(session, options)].join(""));
  expect(readdirSync(join(dir, name)).length).toBeGreaterThan(3);
  return cwd;
}

function directoryInOnePiece(): string {
  const files = { [`blobs/${blob}`]: "hi", [`${name}.json`]: canonicalJson(session) };
  return directoryWith(
    Object.fromEntries(Object.entries(files).map(([path, text]) => [`thoughtflow/${path}`, text])),
  );
}

async function said(cwd: string, line: string): Promise<object> {
  const io = capturedIo(cwd);
  const exitCode = await thoughtflow(line.split(" "), io);
  const stdout = io
    .stdout()
    .replaceAll(cwd, "")
    .replace(/"extraction_timestamp": ".*"/, "");
  return { exitCode, stdout, stderr: io.stderr() };
}

test.each([
  "show",
  "show --view thread",
  "show --view model",
  "show --run long",
  "show --format json",
  "show --format raw",
  "list",
  "list --format json",
  "validate latest",
  "validate --strict latest",
  "workflow latest",
  "prompt",
  "why",
  "stats",
  "stats --by tool",
  "search x",
  `impact ${run?.steps[0]?.step_id}`,
  ...Object.keys(TARGETS).map((target) => `convert --to ${target}`),
  "convert --to csv --run long",
])("%s says of a session in parts what it says of one in one piece", async (line) => {
  const [parted, whole] = [directoryInParts(), directoryInOnePiece()];
  const answer = await said(parted, line);
  expect(answer).toEqual(await said(whole, line));
  expect(answer).not.toMatchObject({ stdout: "" });
});

test("a session whose part is gone is told as such, and is not shown in half", async () => {
  const cwd = directoryInParts();
  const [part = ""] = readdirSync(join(cwd, "thoughtflow", name));
  rmSync(join(cwd, "thoughtflow", name, part));
  for (const line of ["show", "validate latest", "convert --to d2"]) {
    const answer = await said(cwd, line);
    expect(JSON.stringify(answer)).toContain(`${part} can't be read (ENOENT)`);
    expect(answer).not.toMatchObject({ exitCode: 0 });
  }
  expect(await said(cwd, "list")).toMatchObject({ exitCode: 0 });
});

test("rm takes the parts of a session along, and the texts that only they name", async () => {
  const cwd = directoryInParts();
  const dir = join(cwd, "thoughtflow");
  expect(await said(cwd, "rm latest")).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(dir, name))).toBe(false);
  expect(existsSync(join(dir, "blobs", blob))).toBe(false);
});

test("recover sets a session aside that misses a part, with those that are there", async () => {
  const cwd = directoryInParts();
  const dir = join(cwd, "thoughtflow");
  const parts = readdirSync(join(dir, name));
  writeFileSync(join(dir, name, parts[0] ?? ""), "zeroed");
  mkdirSync(join(dir, ".journal"));
  await said(cwd, "recover");
  expect(existsSync(join(dir, `${name}.json`))).toBe(false);
  expect(readdirSync(join(dir, ".quarantine", name))).toEqual(parts);
  const [document = ""] = readdirSync(join(dir, ".quarantine")).filter((file) =>
    file.endsWith(".json"),
  );
  expect(JSON.parse(readFileSync(join(dir, ".quarantine", document), "utf8")).parts).toHaveLength(
    parts.length,
  );
});
