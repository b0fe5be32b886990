/**
 * A server of Node, as a process of its own: what it throws away at once, `bare`, shows what HTTP alone takes; what `append` puts behind
 * one another in a file, in the directory that is named, and acknowledges then, is the least that a durable answer takes; `decode` makes a record of every span and groups them by trace and session first, as a Collector does that only says how many came.
 * Texts of content stay the bytes that came, which are checked to be UTF-8.
 */
import { openSync, write } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createLentMemory } from "@thoughtflow/journal";
import { checkedRecords } from "./checked-records.mjs";

const WORK = { bare: (_, done) => done(), append: appendTo, decode: grouped };
const work = WORK[process.argv[2]];
const file = work === appendTo ? openSync(join(process.argv[3], "requests"), "a") : undefined;

function appendTo(body, done) {
  write(file, body, 0, body.length, null, (error) => {
    if (error) throw error;
    done();
  });
}

function grouped(body, done) {
  const groups = new Map();
  for (const record of checkedRecords(body)) {
    const key = `${record.traceId} ${record.attributes["session.id"]}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  done(groups.size);
}

/** As `thoughtflow serve` has it: fresh memory for each request is dear. */
const memory = createLentMemory(32 * 2 ** 20);

const server = createServer((request, response) => {
  const body = memory.take(Number(request.headers["content-length"] ?? 0));
  let length = 0;
  request.on("data", (piece) => {
    if (work !== WORK.bare) piece.copy(body, length);
    length += piece.length;
    // As it does: memory that waits to be collected is dear, too.
    if (piece.buffer.byteLength === piece.length) piece.buffer.transfer(0);
  });
  request.on("end", () =>
    work(body, () => {
      memory.giveBack(body);
      response.end();
    }),
  );
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
