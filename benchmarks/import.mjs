// What `thoughtflow import claude-code` takes, against the least that anybody can do with the same lines: reading and
// parsing each. Processes of both in turns, so that what else the machine does falls on both; seconds are of CPU, of all
// threads. Memory is the largest that the process held. `--before` takes the program of another build into the turns; `--turns` takes
// one chat of so many short turns in place of real sessions.
//
//   node benchmarks/import.mjs [--megabytes 100] [--session 4] [--turns 100000] [--rounds 3] [--before packages/cli/dist/main.js] [--write]
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { SESSION, writeChat } from "./import/chat.mjs";
import { leastOf } from "./import/least.mjs";
import { resourcesOfNode } from "./import/resources.mjs";
import { stagesOf } from "./import/stages.mjs";
import { writeTranscript } from "./import/transcript.mjs";
import { machine, report, table } from "./report.mjs";
import { median } from "./statistics.mjs";

const { values } = parseArgs({
  options: {
    megabytes: { type: "string", default: "100" },
    session: { type: "string", default: "4" },
    turns: { type: "string" },
    rounds: { type: "string", default: "3" },
    parse: { type: "string" },
    before: { type: "string" },
    write: { type: "boolean" },
  },
});
if (values.parse !== undefined) parseLines(values.parse);
else await measure();

async function measure() {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-import-"));
  const source = join(dir, "source");
  const main = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
  mkdirSync(source);
  const bytes =
    values.turns === undefined
      ? writeTranscripts(source, Number(values.megabytes), Number(values.session))
      : writeChat(join(source, `${SESSION}.jsonl`), Number(values.turns));
  const what =
    values.turns === undefined ? `sessions of ${values.session} MB` : `${values.turns} turns`;
  const imports = (program) => [
    program,
    "import",
    "claude-code",
    source,
    "--out",
    join(dir, "out"),
  ];
  const kinds = {
    "`JSON.parse` of each line": [fileURLToPath(import.meta.url), "--parse", source],
    ...(values.before !== undefined && { "before this build": imports(values.before) }),
    "`import claude-code`": imports(main),
  };
  const taken = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  const run = (argv) => {
    rmSync(join(dir, "out"), { recursive: true, force: true });
    return resourcesOfNode(argv);
  };
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [kind, argv] of Object.entries(kinds)) taken[kind].push(await run(argv));
  }
  const profile = join(dir, "profile");
  await run(["--cpu-prof", `--cpu-prof-dir=${profile}`, ...imports(main)]);
  const stages = stagesOf(profile);
  const least = leastOf(source, join(dir, "out"));
  const sum = least.reduce((all, [, milliseconds]) => all + milliseconds, 0);
  rmSync(dir, { recursive: true });
  const seconds = (kind) => median(taken[kind].map((one) => one.seconds));
  const [floor] = Object.keys(kinds);
  const perMegabyte = (1e9 * seconds("`import claude-code`")) / bytes;
  report("import", [
    `${machine()}; ${(bytes / 1e6).toFixed(0)} MB in ${what}, ${values.rounds} rounds, medians.`,
    "",
    ...table(
      ["", "MB a second of CPU", "times the first", "memory, MB"],
      Object.keys(kinds).map((kind) => [
        kind,
        (bytes / 1e6 / seconds(kind)).toFixed(1),
        (seconds(kind) / seconds(floor)).toFixed(1),
        Math.max(...taken[kind].map((one) => one.megabytes)).toFixed(0),
      ]),
    ),
    "",
    "Where it goes, by a profile of one import more:",
    "",
    ...table(
      ["stage", "%", "ms a MB"],
      stages.map(([stage, share]) => [
        stage,
        (100 * share).toFixed(1),
        (share * perMegabyte).toFixed(1),
      ]),
    ),
    "",
    "The least that it could be: what the formats and the masking demand, each alone, and nothing that tells what belongs to what:",
    "",
    ...table(
      ["stage", "ms a MB"],
      [...least, ["all, one after the other", sum]].map(([stage, milliseconds]) => [
        stage,
        milliseconds.toFixed(1),
      ]),
    ),
    "",
    `That is ${(1e3 / sum).toFixed(0)} MB a second.`,
  ]);
}

function writeTranscripts(folder, megabytes, each) {
  let bytes = 0;
  for (let at = 0; bytes < megabytes * 1e6; at++) {
    const id = `11111111-2222-4333-8444-${String(at).padStart(12, "0")}`;
    bytes += writeTranscript(join(folder, `${id}.jsonl`), each * 1e6, () => id, at * 10_000);
  }
  return bytes;
}

function parseLines(folder) {
  let records = 0;
  for (const name of readdirSync(folder)) {
    for (const line of readFileSync(join(folder, name), "utf8").split("\n"))
      if (line !== "" && JSON.parse(line).type !== undefined) records++;
  }
  if (records === 0) throw new Error("no records");
}
