// The least that an import's stages take: on the same lines only what the formats and the masking demand, one piece after the
// other, and nothing that tells what belongs to what.
import { hash } from "node:crypto";
import { closeSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { defaultRedactor } from "../../packages/redaction/dist/index.js";

const BLOCK = 256 * 1024;
/** Where a document's steps stand. */
const DEPTH = 4;

/** Milliseconds of CPU a megabyte by stage, as `[stage, milliseconds]`, of transcripts and the documents made of them. */
export function leastOf(source, documents) {
  const taken = new Map();
  const take = (stage, work) => {
    const before = process.cpuUsage();
    const made = work();
    const { user, system } = process.cpuUsage(before);
    taken.set(stage, (taken.get(stage) ?? 0) + (user + system) / 1e3);
    return made;
  };
  const memory = Buffer.allocUnsafeSlow(64 * 2 ** 20);
  const file = openSync(join(documents, "least"), "w");
  let megabytes = 0;
  for (const name of readdirSync(source)) {
    const path = join(source, name);
    megabytes += readFileSync(path).length / 1e6;
    const lines = take("lines, and JSON.parse of each", () =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line)),
    );
    const content = lines.flatMap((line) => contentOf(line));
    const texts = content.flatMap((one) => textsIn(one));
    take("masking texts", () => texts.map((text) => defaultRedactor.text(text, "text")));
    const pieces = take("JSON of content", () => content.map((one) => JSON.stringify(one)));
    take("journal: UTF-8, SHA-256, CRC-32 and writing of content", () => {
      for (const piece of pieces) {
        const bytes = memory.subarray(0, memory.write(piece));
        hash("sha256", bytes, "hex");
        crc32(bytes);
        writeSync(file, bytes);
      }
    });
    take("document: content read from its JSON", () => pieces.map((piece) => JSON.parse(piece)));
    const text = readFileSync(join(documents, name.replace(/l$/, "")), "utf8");
    const steps = JSON.parse(text).conversations.flatMap((run) => run.steps);
    take("document: steps as indented JSON", () =>
      steps.map((step) => JSON.stringify(nested(step, DEPTH), null, 2).length),
    );
    take("document: UTF-8 and writing", () => {
      for (let at = 0; at < text.length; at += BLOCK)
        writeSync(file, memory, 0, memory.write(text.slice(at, at + BLOCK)));
    });
    take("one record and one step a step, as objects", () => steps.map(objectsOf));
  }
  closeSync(file);
  return [...taken].map(([stage, milliseconds]) => [stage, milliseconds / megabytes]);
}

function contentOf({ message, data }) {
  return [(message ?? data?.message?.message)?.content ?? []].flat();
}

function textsIn(value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function nested(value, depth) {
  return depth === 0 ? value : [nested(value, depth - 1)];
}

function objectsOf(step) {
  const { trace_id: traceId, span_id: spanId, label: name, attributes } = step;
  const content = { started: step.payload_started, completed: step.payload_completed };
  const record = { type: "span_end", traceId, spanId, name, content, events: [], links: [] };
  return [{ ...record, attributes: { ...attributes } }, { ...step }];
}
