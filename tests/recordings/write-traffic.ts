// Replays the recordings and writes into docs/reliability.md how large their files are beside their traffic:
// `npm run docs:traffic`.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { replayRecordings } from "./replay-recordings.ts";
import { trafficOf, trafficTable } from "./traffic.ts";

const page = join(import.meta.dirname, "../../docs/reliability.md");
const recordings = listRecordings().map((name) => ({ name, exchanges: loadExchanges(name) }));
const table = trafficTable(trafficOf(recordings, await replayRecordings(recordings)));
const text = readFileSync(page, "utf8");
const written = text.replace(/\| recording \| requests [^\n]*\n(?:\|[^\n]*\n)*/, () => `${table}\n`);
if (written === text && !text.includes(table)) throw new Error(`${page} has no table of recordings`);
writeFileSync(page, written);
