/**
 * A server of Node that keeps nothing, as a process of its own: what it throws away at once, `bare`, shows what HTTP alone takes;
 * `decode` makes a record of every span and groups them by trace and session first, as a Collector does that only says how many came.
 * Texts of content stay the bytes that came, which are checked to be UTF-8.
 */
import { createServer } from "node:http";
import { createLentMemory } from "@thoughtflow/journal";
import { checkedRecords } from "./checked-records.mjs";

const WORK = { bare: () => {}, decode: grouped };
const work = WORK[process.argv[2]];

function grouped(body) {
  const groups = new Map();
  for (const record of checkedRecords(body)) {
    const key = `${record.traceId} ${record.attributes["session.id"]}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups.size;
}

/** As `thoughtflow serve` has it: fresh memory for each request is dear. */
const memory = createLentMemory(32 * 2 ** 20);

const server = createServer((request, response) => {
  const body = memory.take(Number(request.headers["content-length"] ?? 0));
  let length = 0;
  request.on("data", (piece) => {
    if (work !== WORK.bare) piece.copy(body, length);
    length += piece.length;
  });
  request.on("end", () => {
    work(body);
    memory.giveBack(body);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
