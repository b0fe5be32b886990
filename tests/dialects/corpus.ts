// How far we agree with Langfuse about what was said, on all the exports in a folder:
//
//   npm run test:dialects -- <folder with *.trace.json and *.chatml.json>
//
// Prints every disagreement, and ends with 1 when fewer than 95 of 100 messages are read alike.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { recordsOfExport } from "./langfuse-records.ts";
import { compareOpinions, type Disagreement } from "./second-opinion.ts";

const LEAST = 0.95;
const SHOWN = 160;

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("the folder with the exports is missing");

let compared = 0;
const all: (Disagreement & { readonly file: string })[] = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith(".trace.json"))) {
  const records = recordsOfExport(read(file));
  const opinions = compareOpinions(records, read(file.replace(".trace.", ".chatml.")));
  console.log(`${file}: ${opinions.compared} messages, ${opinions.disagreements.length} differ`);
  compared += opinions.compared;
  all.push(...opinions.disagreements.map((one) => ({ ...one, file })));
}
for (const { file, where, ours, theirs } of all)
  console.log(`\n${file} ${where}\n  ours   ${brief(ours)}\n  theirs ${brief(theirs)}`);
const share = (compared - all.length) / compared;
console.log(`\n${compared - all.length} of ${compared} messages: ${(share * 100).toFixed(1)} %`);
process.exitCode = share >= LEAST ? 0 : 1;

function read(name: string) {
  return JSON.parse(readFileSync(join(folder ?? "", name), "utf8"));
}

function brief(text: string): string {
  return text.length <= SHOWN ? text : `${text.slice(0, SHOWN)}… (${text.length})`;
}
