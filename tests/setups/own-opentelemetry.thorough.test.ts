import { join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { describe, expect, test } from "vitest";
import { toolLoop } from "./completion.ts";
import { type Ending, REGISTER, runApp } from "./run-app.ts";

const exchanges = [...toolLoop("call_1", "add", "3"), ...toolLoop("call_2", "add", "3")];

/** The app's own OpenTelemetry, by the file that sets it up, and the app that shares its copy of the API. */
const SETUPS = [
  { line: "NodeTracerProvider 2.12", setup: "apps/node-tracer-provider", app: "apps/app" },
  { line: "NodeSDK 0.223", setup: "apps/node-sdk", app: "apps/app" },
  { line: "TracerProvider 3.1 on API 1.10", setup: "sdk-3/tracer-provider", app: "sdk-3/app" },
] as const;

/** Every pair of module kind, place and processor once. */
const CASES = {
  mjs: { flag: "--import", without: ["before", "late"], withProcessor: ["after"] },
  cjs: { flag: "--require", without: ["after"], withProcessor: ["before", "late"] },
} as const;

const KINDS = ["mjs", "cjs"] as const;

/** What the app traces itself, as its own processor sees it. */
const ownSpans = ["POST /ask", ...["GET /sum", "INSERT answer", "SELECT user"].map(inRequest)];

const allSpans = [
  ...ownSpans,
  ...[inRequest("chat m"), inRequest("chat m")],
  ...["invoke_agent", "invoke_agent > chat m", "invoke_agent > chat m"],
].sort();

const modelCalls = {
  first: ["tool.schemas.snapshot", "user_message", "assistant_call", "tool_call add"],
  second: ["tool_output", "assistant_call", "assistant_message"],
};

/** The files when every span came: other libraries' steps stand where they happened. */
const wholeStory = [
  {
    completeness: "complete",
    runs: [
      {
        name: "POST /ask",
        steps: [
          "generic SELECT user",
          ...modelCalls.first,
          "generic GET /sum",
          ...modelCalls.second,
          "generic INSERT answer",
        ],
      },
    ],
  },
  {
    completeness: "complete",
    runs: [{ name: undefined, steps: [...modelCalls.first, ...modelCalls.second] }],
  },
];

/** The files when nobody told us of the app's own spans: all model calls, and that a parent is missing. */
const storyOfModelCalls = wholeStory.map(({ runs }, at) => ({
  completeness: at === 0 ? "partial" : "complete",
  runs: runs.map(({ steps }) => ({
    name: undefined,
    steps: steps.filter((step) => !step.startsWith("generic")),
  })),
}));

describe.concurrent.each(SETUPS)("an app with a $line of its own", ({ setup, app }) => {
  describe.each(KINDS)("as .%s", (kind) => {
    const { flag, without, withProcessor } = CASES[kind];
    const setupFile = join(import.meta.dirname, `${setup}.${kind}`);
    const appFile = join(import.meta.dirname, `${app}.${kind}`);
    const argsOf = {
      before: [flag, setupFile, flag, REGISTER, appFile],
      after: [flag, REGISTER, flag, setupFile, appFile],
      late: [flag, REGISTER, appFile, setupFile],
    };
    let bareRun: Promise<Ending> | undefined;
    const bare = () => (bareRun ??= runApp([flag, setupFile, appFile], exchanges));

    test("is what it is without us", async () => {
      expect(told(await bare())).toEqual({ code: 0, stderr: "", spans: ownSpans, story: [] });
    });

    test.each(without)("set up %s: it gets all spans, the files our own", async (place) => {
      const observed = await runApp(argsOf[place], exchanges);
      const story = storyOfModelCalls;
      expect(told(observed)).toEqual({ code: 0, stderr: "", spans: allSpans, story });
      expect(answersOf(observed)).toEqual(answersOf(await bare()));
    });

    test.each(withProcessor)("set up %s, with our processor: both get all spans", async (place) => {
      const observed = await runApp(argsOf[place], exchanges, { WITH_PROCESSOR: "yes" });
      const story = wholeStory;
      expect(told(observed)).toEqual({ code: 0, stderr: "", spans: allSpans, story });
      expect(answersOf(observed)).toEqual(answersOf(await bare()));
    });
  });
});

test.each([
  ["mjs", "no hook", []],
  ["cjs", "no hook", []],
  ["mjs", "the hook besides", ["--import", REGISTER]],
] as const)(
  "a NodeSDK with our processor and instrumentation (.%s), %s: both get all spans",
  async (kind, _, hook) => {
    const [setup = "", app = ""] = ["node-sdk-with-instrumentation", "app"].map((name) =>
      join(import.meta.dirname, "apps", `${name}.${kind}`),
    );
    const args = [...hook, CASES[kind].flag, setup, app];
    const observed = await runApp(args, exchanges, { WITH_PROCESSOR: "yes" });
    expect(told(observed)).toEqual({ code: 0, stderr: "", spans: allSpans, story: wholeStory });
  },
);

test.each([
  ["mjs", "after"],
  ["cjs", "after"],
  ["mjs", "before"],
] as const)(
  "a NodeSDK with our instrumentation alone (.%s), set up %s the hook: it gets all spans, the files our own",
  async (kind, place) => {
    const [setup = "", app = ""] = ["node-sdk-with-instrumentation", "app"].map((name) =>
      join(import.meta.dirname, "apps", `${name}.${kind}`),
    );
    const { flag } = CASES[kind];
    const hooks = [flag, REGISTER, flag, setup];
    const args = place === "after" ? hooks : [flag, setup, flag, REGISTER];
    const observed = await runApp([...args, app], exchanges);
    const story = storyOfModelCalls;
    expect(told(observed)).toEqual({ code: 0, stderr: "", spans: allSpans, story });
  },
);

test("what the app's own sampling leaves out is in no file, and told once", async () => {
  const [setup = "", app = ""] = ["node-tracer-provider.mjs", "app.mjs"].map((name) =>
    join(import.meta.dirname, "apps", name),
  );
  const args = ["--import", setup, "--import", REGISTER, app];
  const observed = await runApp(args, exchanges, { OTEL_TRACES_SAMPLER: "always_off" });
  expect(told(observed)).toMatchObject({ code: 0, spans: [], story: [] });
  expect(observed.stderr.match(/THOUGHTFLOW_SPANS_NOT_RECORDED/g)).toHaveLength(1);
});

function inRequest(name: string): string {
  return `POST /ask > ${name}`;
}

function told({ code, stdout, stderr, sessions }: Ending) {
  return { code, stderr, spans: JSON.parse(stdout || "{}").spans, story: sessions.map(storyOf) };
}

function answersOf({ stdout }: Ending): unknown {
  return JSON.parse(stdout).answers;
}

function storyOf({ completeness, conversations }: Session) {
  return {
    completeness: completeness?.status,
    runs: conversations.map(({ name, steps }) => ({
      name,
      steps: steps.map(({ label, payload_started }) =>
        ["generic", "tool_call"].includes(label) ? `${label} ${payload_started?.["name"]}` : label,
      ),
    })),
  };
}
