/**
 * A server of Node that keeps nothing, as a process of its own: what it throws away at once, `bare`, shows what HTTP alone takes;
 * `decode` makes a record of every span and groups them by trace and session first, as a Collector does that only says how many came.
 */
import { createServer } from "node:http";
import { decodeProtobufRequest } from "@thoughtflow/otlp";

const WORK = { bare: () => {}, decode: grouped };
const work = WORK[process.argv[2]];

function grouped(body) {
  const groups = new Map();
  for (const record of decodeProtobufRequest(body).records) {
    const key = `${record.traceId} ${record.attributes["session.id"]}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [record]);
    else group.push(record);
  }
  return groups.size;
}

const server = createServer((request, response) => {
  const body = Buffer.allocUnsafe(Number(request.headers["content-length"] ?? 0));
  let length = 0;
  request.on("data", (piece) => {
    if (work !== WORK.bare) piece.copy(body, length);
    length += piece.length;
  });
  request.on("end", () => {
    work(body);
    response.end();
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
