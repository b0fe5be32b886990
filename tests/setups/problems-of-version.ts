import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { loadExchanges } from "@thoughtflow/testkit";
import { toolLoop } from "./completion.ts";
import type { InstalledOpenAI } from "./openai-versions.ts";
import { type Ending, REGISTER, runApp } from "./run-app.ts";

const first = (name: string) => loadExchanges(name).slice(0, 1);

const EXCHANGES = [
  ...first("pydantic-ai-openai/chat-tool-loop-retry"),
  ...first("otel-contrib-py/chat-stream-usage-only-chunk"),
  ...first("pydantic-ai-openai/responses-reasoning-tool-loop"),
  ...first("pydantic-ai-openai/responses-stream-tool-loop"),
  ...first("openinference-agents/chat-401"),
  ...toolLoop("call_11111111", "add", "Three."),
];

const STATUSES = ["ok", "ok", "ok", "ok", "error", "ok", "ok"];

const NEW_VERSION_WARNING =
  /^\(node\) \[THOUGHTFLOW_OPENAI_VERSION\] ThoughtFlowWarning: ThoughtFlow has not been tried with openai [\d.]+: it observes what it recognises\.\n/;

/**
 * What is wrong with an app on this openai and this Node, with the register hook: nothing when it gets what it gets
 * bare, its calls are steps in whole files, and the tool that `runTools` runs is one, too.
 */
export async function problemsOfVersion(
  node: string,
  openai: InstalledOpenAI,
  kind: "mjs" | "cjs",
): Promise<string[]> {
  const app = join(openai.dir, `calls-app.${kind}`);
  const flag = kind === "mjs" ? "--import" : "--require";
  const bare = await runApp([app], EXCHANGES, {}, node);
  const observed = await runApp([flag, REGISTER, app], EXCHANGES, {}, node);
  return [
    ...(bare.code === 0 ? [] : [`the bare app fails: ${bare.stderr.slice(0, 200)}`]),
    ...(observed.code === bare.code ? [] : [`exit code ${observed.code}`]),
    ...(observed.stdout === bare.stdout ? [] : ["the app got something else"]),
    ...stderrProblems(bare, observed, openai.version),
    ...fileProblems(observed),
  ];
}

function stderrProblems(bare: Ending, observed: Ending, version: string): string[] {
  const [expected, got] = [bare, observed].map(({ stderr }) =>
    stderr.replaceAll(/\(node:\d+\)/g, "(node)"),
  );
  const isNew = Number.parseInt(version, 10) > 7;
  if (isNew && !NEW_VERSION_WARNING.test(got ?? "")) return ["no warning of the new version"];
  const rest = isNew ? withoutHint(got?.replace(NEW_VERSION_WARNING, "")) : got;
  return rest === expected ? [] : [`stderr: ${got?.slice(0, 200)}`];
}

/** Node's own line after the first warning of a process. */
function withoutHint(stderr: string | undefined): string | undefined {
  return stderr?.replace(/^\(Use `node --trace-warnings .*\n/, "");
}

function fileProblems({ sessions }: Ending): string[] {
  const recorded = sessions
    .flatMap(({ conversations }) => conversations.flatMap((run) => run.steps))
    .filter(({ origin }) => origin === "recorded");
  const tools = recorded.filter(({ label }) => label === "tool_call");
  const steps = recorded
    .filter(({ label }) => label === "assistant_call")
    .toSorted((a, b) => (a.started_at ?? "").localeCompare(b.started_at ?? ""));
  const statuses = steps.map(({ status }) => status);
  const partial = sessions.filter(({ completeness }) => completeness?.status !== "complete");
  return [
    ...(isDeepStrictEqual(statuses, STATUSES) ? [] : [`steps are ${statuses.join(", ")}`]),
    ...(tools.length === 1 ? [] : [`${tools.length} tool calls`]),
    ...partial.map(({ completeness }) => JSON.stringify(completeness)),
  ];
}
