// What the formats of agents take for one session of 5,000 requests: a main agent that asks for 99 others, and each of them
// for tools. Milliseconds of CPU of the process that renders, the text included; the best of the rounds, since the first is also compiled.
//
//   node benchmarks/convert.mjs [rounds] [--write]
import { renderers } from "@thoughtflow/render";
import { machine, report, table } from "./report.mjs";
import { tenthPercentile } from "./statistics.mjs";

const AGENTS = 100;
const REQUESTS = 5_000;
const FORMATS = ["gantt", "dot", "graphml", "perfetto", "csv"];

const rounds = Number(process.argv.slice(2).find((word) => /^\d+$/.test(word)) ?? 9);
const session = sessionOf();
const taken = new Map(FORMATS.map((name) => [name, []]));
const sizes = new Map();
for (let round = 0; round < rounds; round++) {
  for (const name of FORMATS) {
    const before = process.cpuUsage();
    sizes.set(name, renderers[name].render(session).length);
    const { user, system } = process.cpuUsage(before);
    taken.get(name).push((user + system) / 1e3);
  }
}
report("convert", [
  `${machine()}; ${rounds} rounds, 10th percentile and the first.`,
  "",
  ...table(
    ["format", "ms", "ms, the first time", "KiB"],
    FORMATS.map((name) => [
      `\`${name}\``,
      tenthPercentile(taken.get(name)).toFixed(0),
      taken.get(name)[0].toFixed(0),
      (sizes.get(name) / 1024).toFixed(0),
    ]),
  ),
]);

function sessionOf() {
  const steps = [];
  const agents = [{ agent_id: "agent_0", ordinal: 1, name: "main" }];
  for (let at = 0; at < REQUESTS; at++) {
    const agent = at % AGENTS;
    const [call, before] = [`c${at}`, `c${at - AGENTS}`];
    const isFirst = at < AGENTS;
    const started = Date.UTC(2026, 2, 1) + at * 1_000;
    if (agent > 0 && isFirst) {
      agents.push({
        agent_id: `agent_${agent}`,
        ordinal: agent + 1,
        name: "sub-agent",
        parent_agent_id: "agent_0",
        spawned_by: `run/c0.t${agent}`,
        origin: "observed",
      });
    }
    steps.push({
      step_id: call,
      label: "assistant_call",
      agent_id: `agent_${agent}`,
      status: "ok",
      started_at: new Date(started).toISOString(),
      ended_at: new Date(started + 800).toISOString(),
      duration_ms: 800,
      usage: { input_tokens: 900, output_tokens: 40 },
      payload_started: {
        name: "anthropic.messages",
        model: "m",
        input: isFirst ? [] : [before, `${before}.t1_out`],
      },
    });
    for (let tool = 1; tool <= (at === 0 ? AGENTS - 1 : 1); tool++) {
      steps.push(
        {
          step_id: `${call}.t${tool}`,
          label: "tool_call",
          agent_id: `agent_${agent}`,
          depends_on: call,
          edges: [{ to: call, type: "requests", origin: "observed" }],
          payload_started: {
            name: "read",
            args: { path: `file-${at}-${tool}.ts` },
            call_id: `t${at}`,
          },
        },
        {
          step_id: `${call}.t${tool}_out`,
          label: "tool_output",
          agent_id: `agent_${agent}`,
          depends_on: `${call}.t${tool}`,
          edges: [{ to: `${call}.t${tool}`, type: "returns", origin: "observed" }],
          payload_completed: { result: "What a tool finds, in a paragraph. ".repeat(12) },
        },
      );
    }
  }
  return { session_id: "requests", agents, conversations: [{ conversation_id: "run", steps }] };
}
