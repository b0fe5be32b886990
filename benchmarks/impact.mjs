// How long `thoughtflow impact` takes over 1,000 sessions of 100 steps, all of which rest on what is asked about, and
// over as many that don't. Seconds, the best of five runs, the process's start included.
//
//   node benchmarks/impact.mjs
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { canonicalJson } from "@thoughtflow/schema/canonical";

const main = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url));
const dir = mkdtempSync(join(tmpdir(), "thoughtflow-impact-"));
const time = "2026-01-01T00:00:00.000Z";

function session(id) {
  const steps = [
    {
      step_id: "snp_policy_00112233445566aa",
      label: "policy.snapshot",
      started_at: time,
      payload_started: {
        version: "00112233445566aa",
        content_preview: "Be brief and kind. ".repeat(10),
      },
    },
  ];
  for (let turn = 0; steps.length < 100; turn++) {
    const call = `s_${String(turn).padStart(16, "0")}`;
    const edge = (to, type) => ({ to, type, origin: "observed" });
    steps.push(
      {
        step_id: `${call}.u1`,
        label: "user_message",
        started_at: time,
        ended_at: time,
        duration_ms: 0,
        status: "ok",
        payload_started: { text: "A question of some length, as people ask them. ".repeat(4) },
      },
      {
        step_id: call,
        label: "assistant_call",
        depends_on: ["snp_policy_00112233445566aa", `${call}.u1`],
        started_at: time,
        ended_at: time,
        duration_ms: 800,
        status: "ok",
        usage: { input_tokens: 900, output_tokens: 40 },
        edges: [
          edge("snp_policy_00112233445566aa", "uses_snapshot"),
          edge(`${call}.u1`, "responds_to"),
        ],
        payload_started: { name: "openai.responses.create", model: "m", input: [`${call}.u1`] },
      },
      {
        step_id: `${call}.t1`,
        label: "tool_call",
        depends_on: call,
        edges: [edge(call, "requests")],
        started_at: time,
        ended_at: time,
        duration_ms: 20,
        status: "ok",
        payload_started: { name: "search", args: { query: "something to look for" } },
      },
      {
        step_id: `${call}.t1_out`,
        label: "tool_output",
        depends_on: `${call}.t1`,
        edges: [edge(`${call}.t1`, "returns")],
        started_at: time,
        payload_completed: { result: "What a tool finds, in a paragraph. ".repeat(12) },
      },
      {
        step_id: `${call}.m1`,
        label: "assistant_message",
        depends_on: call,
        edges: [edge(call, "returns")],
        started_at: time,
        payload_completed: { text: "An answer of some length. ".repeat(8) },
      },
    );
  }
  return canonicalJson({
    schema_version: "1.0",
    session_id: id,
    conversations: [{ conversation_id: "r1", steps: steps.slice(0, 100) }],
  });
}

let bytes = 0;
for (let at = 0; at < 1000; at++) {
  const text = session(`s${at}`);
  bytes += text.length;
  writeFileSync(
    join(dir, `s${at}.json`),
    at === 0
      ? text.replace('"search"', '"rare_tool"').replace('"s_0000000000000000.t1"', '"only_here"')
      : text,
  );
}
console.log(`1,000 sessions of 100 steps, ${(bytes / 1e6).toFixed(0)} MB`);
for (const subject of ["snp_policy_00112233445566aa", "only_here"]) {
  const runs = Array.from({ length: 5 }, () => {
    const wall = performance.now();
    const { status, stdout } = spawnSync(
      process.execPath,
      [main, "impact", subject, "--dir", dir],
      { encoding: "utf8" },
    );
    if (status !== 0) throw new Error(`exit ${status}`);
    return { wall: (performance.now() - wall) / 1e3, said: stdout.split("\n")[1] };
  }).sort((a, b) => a.wall - b.wall);
  console.log(`${subject}: ${runs[0].wall.toFixed(2)} s (${runs[0].said})`);
}
rmSync(dir, { recursive: true });
