import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { examples } from "./docs/pages.ts";
import { pictureOf } from "./docs/picture.ts";

const ROOT = join(import.meta.dirname, "..");
const PICTURES = join(ROOT, "docs/pictures");
const CLI = join(ROOT, "packages/cli/dist/main.js");

function directory(): string {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-pictures-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** The one timeline that a program leaves in its flow directory. */
function timelineOf(args: readonly string[], dir: string): string {
  execFileSync(process.execPath, args, {
    cwd: join(ROOT, "examples"),
    env: { PATH: process.env["PATH"], THOUGHTFLOW_DIR: dir },
    stdio: "ignore",
  });
  const [name = "", ...others] = readdirSync(dir).filter((one) => one.endsWith(".svg"));
  expect(others).toEqual([]);
  return readFileSync(join(dir, name), "utf8");
}

const checkedIn = (name: string): string => readFileSync(join(PICTURES, `${name}.svg`), "utf8");

test("the timelines of the coding agent are drawn of the transcript beside it", () => {
  const file = "claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl";
  const transcript = join(ROOT, "packages/cli/fixtures", file);
  const dir = directory();
  const drawn = timelineOf([CLI, "import", "claude-code", transcript], dir);
  expect(drawn).toBe(checkedIn("claude-code"));
  const argv = [CLI, "convert", "latest", "--dir", dir, "--to", "gantt"];
  const agents = execFileSync(process.execPath, argv, { encoding: "utf8" });
  expect(agents).toBe(checkedIn("claude-code-agents"));
});

test("the agents of a log of requests are drawn of the log beside it", () => {
  const log = readFileSync(
    join(ROOT, "packages/cli/fixtures/proxy-claude-trace/requests.jsonl.gz"),
  );
  const dir = directory();
  const input = gunzipSync(log);
  execFileSync(process.execPath, [CLI, "import", "proxy-log", "-", "--out", dir], {
    input,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const argv = [CLI, "convert", "latest", "--dir", dir, "--to", "gantt"];
  const agents = execFileSync(process.execPath, argv, { encoding: "utf8" });
  expect(agents).toBe(checkedIn("claude-trace-agents"));
});

/** What a timeline shows, however long everything took: what its marks tell, its arrows, how it looks. */
function shownIn(svg: string): object {
  const told = Array.from(svg.matchAll(/<title>([^<]*)<\/title>/g), ([, title = ""]) =>
    title
      .split("\n")
      .filter((line) => !/^(started|duration|waited|span|trace): /.test(line))
      .join("\n"),
  );
  return { told: told.toSorted(), style: /<style>[^<]*/.exec(svg)?.[0] };
}

test("the timeline on the front page is drawn of the weather example", () => {
  const args = ["--import", "@thoughtflow/node/register", "weather-session/main.mjs"];
  const drawn = timelineOf(args, directory());
  expect(shownIn(drawn)).toEqual(shownIn(checkedIn("weather-session")));
});

test("every picture is compared with what it is drawn of", () => {
  const compared = [
    ...examples.map(pictureOf).filter((path) => path !== undefined),
    // Compared above, by the test of the closed loop, and by that of the backends.
    ...[
      "claude-code",
      "claude-code-agents",
      "claude-trace-agents",
      "weather-session",
      "adaptation-proposed",
      "adaptation-in-force",
      "jaeger-trace",
      "tempo-trace",
    ].map((name) => join(PICTURES, `${name}.svg`)),
  ];
  expect(new Set(compared)).toEqual(
    new Set(readdirSync(PICTURES).map((name) => join(PICTURES, name))),
  );
});
