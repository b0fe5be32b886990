// A chat of any number of turns, in the form of real transcripts (packages/cli/fixtures): each is asked, and answered with a tool call and its result,
// with ids, times and texts of its own.
import { createHash } from "node:crypto";
import { closeSync, openSync, writeSync } from "node:fs";

/** The session, and what its file is called. */
export const SESSION = "11111111-2222-4333-8444-555555555555";
const START_MS = Date.parse("2026-01-23T00:00:00.000Z");
const WRITE_BYTES = 4 * 2 ** 20;
const SENTENCE = "look at src/part.ts and say what it does, and why.\n";
/** What each record says of the machine. */
const MACHINE = {
  isSidechain: false,
  userType: "external",
  cwd: "/Users/dev/workspace/cli",
  sessionId: SESSION,
  version: "2.1.17",
  gitBranch: "main",
};

/** Writes a transcript of so many turns with so many tool calls each, of some 3 KB, and results of so many characters. Returns its bytes. */
export function writeChat(path, turns, { calls = 1, characters = 200 } = {}) {
  const file = openSync(path, "w");
  let written = 0;
  let waiting = "";
  let parentUuid = null;
  let count = 0;
  const take = (record) => {
    const uuid = uuidOf(count);
    const timestamp = new Date(START_MS + 1_000 * count++).toISOString();
    waiting += `${JSON.stringify({ parentUuid, ...MACHINE, ...record, uuid, timestamp })}\n`;
    parentUuid = uuid;
    if (waiting.length < WRITE_BYTES) return;
    written += writeSync(file, waiting);
    waiting = "";
  };
  for (let turn = 0; turn < turns; turn++) {
    take({ type: "user", message: { role: "user", content: words(`Question ${turn}`, 200) } });
    for (let call = 0; call < calls; call++)
      for (const record of recordsOf(`${turn}-${call}`, characters)) take(record);
  }
  written += writeSync(file, waiting);
  closeSync(file);
  return written;
}

/** An answer in two records, and what its tool gave. */
function recordsOf(name, characters) {
  const id = uuidOf(name).replaceAll("-", "").slice(0, 24);
  const answer = (part) => ({
    type: "assistant",
    requestId: `req_${id}`,
    message: {
      model: "claude-opus-4-5-20251101",
      id: `msg_${id}`,
      type: "message",
      role: "assistant",
      content: [part],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: 10, cache_read_input_tokens: 13_000, output_tokens: 50 },
    },
  });
  const input = { command: `cat src/part-${name}.ts`, description: "Show it" };
  const result = words(`Result ${name}`, characters);
  const given = { tool_use_id: `toolu_${id}`, type: "tool_result", content: result };
  return [
    answer({ type: "text", text: words(`Answer ${name}`, 200) }),
    answer({ type: "tool_use", id: `toolu_${id}`, name: "Bash", input }),
    {
      type: "user",
      message: { role: "user", content: [{ ...given, is_error: false }] },
      toolUseResult: { stdout: result, stderr: "", interrupted: false, isImage: false },
    },
  ];
}

function words(own, characters) {
  const rest = Math.max(0, characters - own.length - 2);
  return `${own}: ${SENTENCE.repeat(Math.ceil(rest / SENTENCE.length)).slice(0, rest)}`;
}

function uuidOf(name) {
  const hex = createHash("sha256").update(String(name)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
