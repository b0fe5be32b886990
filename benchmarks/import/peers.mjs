// `thoughtflow import claude-code` beside claude-code-log, another reader of the same transcripts, which makes pages
// of HTML or JSON of them. Copies of the real sessions in the fixtures, or of your own; processes in turns, CPU of all threads.
//
//   python3 -m venv peers && peers/bin/pip install claude-code-log==1.7.0
//   node benchmarks/import/peers.mjs --peer peers/bin/claude-code-log [--source FOLDER …] [--megabytes 60] [--rounds 3] [--write]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { machine, report, table } from "../report.mjs";
import { median } from "../statistics.mjs";
import { resourcesOfNode, resourcesOfPython } from "./resources.mjs";
import { writeCopies } from "./transcript.mjs";

const fixture = (name) =>
  fileURLToPath(new URL(`../../packages/cli/fixtures/${name}`, import.meta.url));
const { values } = parseArgs({
  options: {
    peer: { type: "string" },
    source: {
      type: "string",
      multiple: true,
      default: [fixture("claude-code-entire"), fixture("claude-code-viewer")],
    },
    megabytes: { type: "string", default: "60" },
    rounds: { type: "string", default: "3" },
    write: { type: "boolean" },
  },
});
if (values.peer === undefined) throw new Error("--peer: where claude-code-log is installed");

const main = fileURLToPath(new URL("../../packages/cli/dist/main.js", import.meta.url));
const rows = [];
for (const source of values.source) rows.push(...(await rowsOf(source)));
report("import peers", [
  `${machine()}; ${values.megabytes} MB of copies of each, ${values.rounds} rounds, medians.`,
  "",
  ...table(
    [
      "",
      "MB a second of CPU",
      "CPU, times ours",
      "memory, MB",
      "memory, times ours",
      "written, MB",
    ],
    rows,
  ),
]);

async function rowsOf(source) {
  const dir = mkdtempSync(join(tmpdir(), "thoughtflow-peers-"));
  const [copies, out] = [join(dir, "copies"), join(dir, "out")];
  mkdirSync(copies);
  const bytes = writeCopies(source, copies, Number(values.megabytes) * 1e6);
  // Without its cache, which makes a second run shorter; ours reads all again too.
  const peer = (format) => () =>
    resourcesOfPython(
      [
        values.peer,
        ...["convert", copies, "-o", join(out, `all.${format}`), "-f", format],
        ...["--combined", "only", "--no-cache"],
      ],
      { HOME: dir },
    );
  const kinds = {
    "`import claude-code`": () =>
      resourcesOfNode([main, "import", "claude-code", copies, "--out", out]),
    "claude-code-log, HTML": peer("html"),
    "claude-code-log, JSON": peer("json"),
  };
  const taken = Object.fromEntries(Object.keys(kinds).map((kind) => [kind, []]));
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [kind, run] of Object.entries(kinds)) {
      rmSync(out, { recursive: true, force: true });
      mkdirSync(out);
      taken[kind].push({ ...(await run()), written: bytesBelow(out) });
    }
  }
  rmSync(dir, { recursive: true });
  const middle = (kind, what) => median(taken[kind].map((one) => one[what]));
  const [ours] = Object.keys(kinds);
  return Object.keys(kinds).map((kind) => [
    `${basename(source)}: ${kind}`,
    (bytes / 1e6 / middle(kind, "seconds")).toFixed(1),
    (middle(kind, "seconds") / middle(ours, "seconds")).toFixed(1),
    middle(kind, "megabytes").toFixed(0),
    (middle(kind, "megabytes") / middle(ours, "megabytes")).toFixed(1),
    (middle(kind, "written") / 1e6).toFixed(0),
  ]);
}

function bytesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}
