import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

/** The reference validator of ATIF: a Python package. Its models run on older versions of Python than the rest of it. */
const HARBOR = "harbor==0.25.0";
const cli = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const fixtures = fileURLToPath(new URL("../../packages/cli/fixtures/", import.meta.url));

let directory: string;
let python: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "thoughtflow-atif-"));
  execFileSync("python3", ["-m", "venv", join(directory, "python")]);
  python = join(directory, "python", "bin", "python");
  const install = (...words: string[]) =>
    execFileSync(
      python,
      ["-m", "pip", "install", "--quiet", "--retries=10", "--disable-pip-version-check", ...words],
      { stdio: "pipe" },
    );
  install("--no-deps", "--ignore-requires-python", HARBOR);
  install("pydantic>=2.11");
}, 180_000);

afterAll(() => rmSync(directory, { recursive: true, force: true }));

const VALIDATE = `
import json, pathlib, sys
from harbor.utils.trajectory_validator import TrajectoryValidator
validator = TrajectoryValidator()
validator.validate(pathlib.Path(sys.argv[1]))
print(json.dumps(validator.get_errors()))
`;

function errorsOf(file: string): readonly string[] {
  return JSON.parse(execFileSync(python, ["-c", VALIDATE, file], { encoding: "utf8" }));
}

test.each([
  ["claude-code", "claude-code-entire"],
  ["claude-code", "claude-code-edge"],
  ["swe-agent", "swe-agent"],
  ["openhands", "openhands"],
  ["codex", "specimens/codex"],
  ["gemini-cli", "specimens/gemini-cli"],
  ["opencode", "specimens/opencode"],
  ["pi", "specimens/pi"],
  ["openai-log", "specimens/openai-log"],
])(
  "the reference validator finds no error in what ATIF is made of %s, %s",
  (format, folder) => {
    const flows = join(directory, folder.replace("/", "-"));
    const said = execFileSync(
      process.execPath,
      [cli, "import", format, join(fixtures, folder), "--out", flows],
      { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
    );
    expect(said).toBe("");
    const list = execFileSync(process.execPath, [cli, "list", "--dir", flows, "--format", "json"], {
      encoding: "utf8",
    });
    const ids = (JSON.parse(list) as { session_id: string }[]).map(({ session_id }) => session_id);
    expect(ids.length).toBeGreaterThan(0);
    for (const id of ids) {
      const file = join(flows, "trajectory.json");
      execFileSync(
        process.execPath,
        [cli, "convert", id, "--dir", flows, "--to", "atif", "-o", file],
        {
          stdio: "pipe",
        },
      );
      expect([id, errorsOf(file)]).toEqual([id, []]);
    }
  },
  120_000,
);

test("the validator does find errors: a field that ATIF doesn't know", () => {
  const specimen = join(fixtures, "specimens/atif/trajectory.json");
  expect(errorsOf(specimen)).toEqual([]);
  const broken = join(directory, "broken.json");
  writeFileSync(
    broken,
    JSON.stringify({ ...JSON.parse(readFileSync(specimen, "utf8")), edges: [] }),
  );
  expect(errorsOf(broken)).toEqual([
    "trajectory.edges: unexpected field (not part of ATIF schema)",
  ]);
});
