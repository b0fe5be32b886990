import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileNameOf } from "@thoughtflow/journal";
import { renderers } from "@thoughtflow/render";
import { canonicalJson } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith, seedText } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const seed = JSON.parse(seedText);
const twoRuns = {
  session_id: "../two runs",
  conversations: [
    { conversation_id: "r/1", steps: [{ step_id: "a", label: "node" }] },
    { conversation_id: "r2", steps: [{ step_id: "b", label: "node", depends_on: "r/1/a" }] },
  ],
};

test.each(["d2", "svg", "mermaid", "markdown"] as const)(
  "a session becomes %s on stdout",
  async (to) => {
    const io = capturedIo(directoryWith({ "seed.json": seedText }));
    expect(await thoughtflow(["convert", "seed.json", "--to", to], io)).toBe(0);
    expect(io.stdout()).toBe(renderers[to].render(seed));
    expect(io.stderr()).toBe("");
  },
);

test("-o writes one file, of one run if asked for", async () => {
  const cwd = directoryWith({ "two.json": JSON.stringify(twoRuns) });
  const io = capturedIo(cwd);
  const argv = ["convert", "two.json", "--to", "d2", "-o", "new/run.d2", "--run", "r2"];
  expect(await thoughtflow(argv, io)).toBe(0);
  const written = readFileSync(join(cwd, "new", "run.d2"), "utf8");
  expect(written).toBe(renderers.d2.render(twoRuns, { run: "r2" }));
  expect({ stdout: io.stdout(), stderr: io.stderr() }).toEqual({
    stdout: "",
    stderr: `${join("new", "run.d2")}\n`,
  });
});

test("--out writes the session and a folder of its runs, whatever their ids are", async () => {
  const cwd = directoryWith({ "two.json": JSON.stringify(twoRuns), "seed.json": seedText });
  for (const file of ["two.json", "seed.json"]) {
    expect(
      await thoughtflow(["convert", file, "--to", "d2", "--out", "out"], capturedIo(cwd)),
    ).toBe(0);
  }
  const name = "~002e~002e~002ftwo~0020runs";
  expect(readdirSync(join(cwd, "out"), { recursive: true }).sort()).toEqual(
    [
      name,
      `${name}.d2`,
      join(name, "r2.d2"),
      join(name, "r~002f1.d2"),
      "sess_1693660012345.d2",
    ].sort(),
  );
});

test("a session becomes lines of OTLP, which import turns back into the same file", async () => {
  const cwd = directoryWith({ "seed.json": seedText, "two.json": JSON.stringify(twoRuns) });
  for (const [file, session] of [
    ["seed.json", seed],
    ["two.json", twoRuns],
  ]) {
    const argv = ["convert", file, "--to", "otlp", "-o", "a.otlp.jsonl"];
    expect(await thoughtflow(argv, capturedIo(cwd))).toBe(0);
    const lines = readFileSync(join(cwd, "a.otlp.jsonl"), "utf8").trimEnd().split("\n");
    for (const line of lines) expect(JSON.parse(line)).toHaveProperty("resourceSpans");
    const io = capturedIo(cwd);
    expect(await thoughtflow(["import", "otlp", "a.otlp.jsonl", "--out", "back"], io)).toBe(0);
    const back = readFileSync(join(cwd, "back", `${fileNameOf(session.session_id)}.json`), "utf8");
    expect(back).toBe(canonicalJson(session));
  }
});

test("a file that can't be written is told", async () => {
  const cwd = directoryWith({ "seed.json": seedText });
  const io = capturedIo(cwd);
  expect(await thoughtflow(["convert", "seed.json", "--to", "d2", "-o", "seed.json/x"], io)).toBe(
    1,
  );
  expect(io.stderr()).toContain(`${join(cwd, "seed.json", "x")} can't be written: `);
});

test("new directories for what is converted are those of the process's mask", async () => {
  const cwd = directoryWith({ "seed.json": seedText });
  const argv = ["convert", "seed.json", "--to", "d2", "-o", "new/deep/seed.d2"];
  expect(await thoughtflow(argv, capturedIo(cwd))).toBe(0);
  const mode = statSync(join(cwd, "new", "deep")).mode & 0o777;
  expect(mode).toBe(0o777 & ~process.umask());
});

test.runIf(existsSync("/proc/self"))("what would go below /proc is refused", async () => {
  const cwd = directoryWith({ "seed.json": seedText });
  const io = capturedIo(cwd);
  const argv = ["convert", "seed.json", "--to", "d2", "-o", "/proc/thoughtflow/new/seed.d2"];
  expect(await thoughtflow(argv, io)).toBe(1);
  expect(io.stderr()).toMatch(/can't be made there \(ENOENT\): name another place\n$/);
});

test("a value that nests too deep for a format is told, not taken for a text that is too long", async () => {
  const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
  const text = seedText.replace(/("payload_completed":\s*)\{/, `$1{"deep":${deep},`);
  expect(text).toContain(deep);
  const io = capturedIo(directoryWith({ "seed.json": text }));
  expect(await thoughtflow(["validate", "seed.json"], io)).toBe(0);
  expect(await thoughtflow(["convert", "seed.json", "--to", "atif"], io)).toBe(1);
  expect(io.stderr()).toBe(
    `What atif would be of ${seed.session_id} can't be written: a value in it nests too deep.\n`,
  );
});
