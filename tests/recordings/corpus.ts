// Replays every `*.exchanges.json` and every captured body below the given folders and says what is wrong:
// `npm run test:corpus -- DIR…`.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { exchangesFrom } from "@thoughtflow/testkit";
import { capturesIn } from "./captures.ts";
import { type ContentKept, contentKept } from "./content-kept.ts";
import { problemsOf } from "./problems-of.ts";
import { type Recording, replayRecordings } from "./replay-recordings.ts";

const folders = process.argv.slice(2);
if (folders.length === 0) {
  console.error("name at least one folder that holds *.exchanges.json files or captured bodies");
  process.exit(3);
}

const kept: ContentKept[] = [];
let exchanges = 0;
let wrong = 0;
for (const folder of folders.flatMap(foldersBelow)) {
  const exchanged: Recording[] = readdirSync(folder)
    .filter((name) => name.endsWith(".exchanges.json"))
    .map((name) => ({
      name: `${basename(folder)}/${name}`,
      exchanges: exchangesFrom(JSON.parse(readFileSync(join(folder, name), "utf8"))),
    }));
  const recordings = [...exchanged, ...capturesIn(folder)];
  if (recordings.length === 0) continue;
  const replay = await replayRecordings(recordings);
  const problems = problemsOf(replay);
  kept.push(contentKept(replay));
  exchanges += replay.calls.length;
  wrong += problems.length;
  console.log(`${basename(folder)}: ${recordings.length} recordings, ${replay.calls.length} exchanges, ${problems.length} problems`);
  for (const problem of problems) console.log(`  ${problem}`);
}
console.log(`${exchanges} exchanges, ${wrong} problems`);
const total = (count: (one: ContentKept) => number): number => kept.reduce((sum, one) => sum + count(one), 0);
const share = (count: (one: ContentKept) => number): string =>
  (total(count) / total(({ distinct }) => distinct)).toFixed(3);
console.log(
  `${total(({ loops }) => loops)} agent loops: of each distinct byte that was said, their files hold ${share(
    ({ inFiles }) => inFiles,
  )} (at most ${Math.max(...kept.map(({ worst }) => worst)).toFixed(3)}), the journals ${share(({ inJournal }) => inJournal)}`,
);
process.exit(wrong === 0 ? 0 : 1);

function foldersBelow(path: string): string[] {
  const inside = readdirSync(path).map((name) => join(path, name)).filter((one) => statSync(one).isDirectory());
  return [path, ...inside.flatMap(foldersBelow)];
}
