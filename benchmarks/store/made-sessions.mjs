/** Sessions of ten runs: each a question, a node, two model calls and a tool between them, and in one of them a thought, as their spans tell it. */

export const RUNS = 10;
/** The node, its guidance, the two calls, and the question, the tool's call, its output and the answer that are read out of them. */
export const STEPS_OF_RUN = 8;

const DAY = 86_400;
/** A million steps are spread over most of a year. */
const BETWEEN_RUNS = 180;
const EPOCH = 1_767_225_600;
const MODELS = ["gpt-5-mini", "gpt-4o-mini", "gpt-4.1-nano", "o4-mini"];
const NODES = ["ingestMessage", "routeIntent", "answer", "handleGeneral"];
/** A tool's answer of half a kilobyte. */
const FORECAST = "18 degrees, a light wind from the west, no rain before the evening. ".repeat(8);

const GUIDANCE = "Say it in one sentence, and give degrees in Celsius.";

/** What the guidance is of: an adaptation, in one of three versions. */
const promptOf = (number) =>
  JSON.stringify({
    final_prompt: GUIDANCE,
    messages: [{ role: "system", start: 0, end: GUIDANCE.length }],
    parts: [
      {
        type: "prompt_adaptations",
        id: "tone",
        version: String(number % 3),
        hash: "0123456789abcdef",
        start: 0,
        end: GUIDANCE.length,
      },
    ],
  });

const hex = (number, length) => number.toString(16).padStart(length, "0");
const nanoseconds = (seconds) => `${Math.round(seconds * 1000)}000000`;
const say = (role, content) => JSON.stringify({ role, parts: [{ type: "text", content }] });

/** The moment `days` after the first of them, ISO 8601. */
export const dayAfter = (days) => new Date((EPOCH + days * DAY) * 1000).toISOString();

/** The records of session number `session`, of which each is the same every time. */
export function* recordsOf(session) {
  for (let run = 0; run < RUNS; run++) yield* recordsOfRun(session, session * RUNS + run);
}

function* recordsOfRun(session, number) {
  const at = EPOCH + number * BETWEEN_RUNS;
  const took = 1 + ((number * 7919) % 1000) / 100;
  const span = (id, parent, from, until, attributes, content = {}) => ({
    type: "span_end",
    traceId: hex(number + 1, 32),
    spanId: hex(id, 16),
    ...(parent !== undefined && { parentSpanId: hex(parent, 16) }),
    name: "span",
    kind: "internal",
    startTimeUnixNano: nanoseconds(at + from * took),
    endTimeUnixNano: nanoseconds(at + until * took),
    status: { code: number % 53 === 0 && id === 2 ? "error" : "unset" },
    attributes: { "session.id": `session-${session}`, ...attributes },
    content,
    events: [],
    links: [],
    scope: { name: "benchmark" },
    resource: {},
  });
  const call = (input, output) => [
    {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai",
      "gen_ai.request.model": MODELS[number % 4],
      "gen_ai.usage.input_tokens": 100 + (number % 400),
      "gen_ai.usage.output_tokens": 20 + (number % 50),
    },
    {
      "gen_ai.input.messages": input,
      "gen_ai.output.messages": [output],
      "thoughtflow.prompt": promptOf(number),
    },
  ];
  const guidance = say("system", GUIDANCE);
  const question = say("user", `Question ${number}: how warm is it in town ${number % 5000}?`);
  const id = `call_${number}`;
  const request = { type: "tool_call", id, name: "weather", arguments: { town: number } };
  const asked = JSON.stringify({ role: "assistant", parts: [request] });
  const response = { type: "tool_call_response", id, response: FORECAST };
  const given = JSON.stringify({ role: "tool", parts: [response] });
  const rare = number % 100_000 === 77 ? " zanzibar" : "";
  const answer = say("assistant", `It is 18 degrees there, as so often.${rare}`);
  yield span(1, undefined, 0, 1, {
    "gen_ai.operation.name": "invoke_workflow",
    "user.id": `user-${session % 997}`,
  });
  yield span(
    2,
    1,
    0,
    0.9,
    { "thoughtflow.step.label": "node" },
    { "thoughtflow.step.started": JSON.stringify({ name: NODES[number % 4] }) },
  );
  yield span(3, 2, 0.1, 0.4, ...call([guidance, question], asked));
  yield span(4, 2, 0.5, 0.8, ...call([guidance, question, asked, given], answer));
  if (number % RUNS !== 0) return;
  const thought = { thought: "It was warm yesterday, too.", confidence: (number % 997) / 997 };
  yield span(
    5,
    2,
    0.45,
    0.45,
    { "thoughtflow.step.label": "thought" },
    { "thoughtflow.step.started": JSON.stringify(thought) },
  );
}
