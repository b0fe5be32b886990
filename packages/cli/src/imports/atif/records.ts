import type { Attributes, Session, Step } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_INPUT_TOKENS,
  ATTR_GEN_AI_USAGE_OUTPUT_TOKENS,
  ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS,
  type GenAiPart,
  toText,
  wordsOf,
} from "@thoughtflow/semconv";
import { unpacked } from "../../atif/packed-steps.ts";
import { countOf, isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";
import { trajectoriesIn } from "./embedded.ts";

/** A message or a result: a text, or a list of parts. */
export function partsOf(content: unknown): readonly GenAiPart[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", content }];
  return listOf(content)
    .filter(isObject)
    .map((part) => {
      const { type, text, source } = part;
      if (type === "text") return { type: "text", content: toText(text) };
      const { media_type, path } = membersOf(source);
      return {
        type: "uri",
        modality: toText(type ?? "file"),
        mime_type: toText(media_type),
        uri: toText(path),
      };
    });
}

export function resultOf(content: unknown): unknown {
  return typeof content === "string" ? content : partsOf(content);
}

/** The prompt's tokens hold those that the cache gave and took, and the answer's those of thoughts. */
export function usageOf(metrics: unknown): Attributes {
  if (!isObject(metrics)) return {};
  const input = countOf(metrics["prompt_tokens"]);
  const read = countOf(metrics["cached_tokens"]);
  const more = membersOf(metrics["extra"]);
  const written = countOf(more["cache_creation_input_tokens"]);
  const reasoning = REASONING.map((name) => countOf(more[name])).find((count) => count > 0);
  return {
    [ATTR_GEN_AI_USAGE_INPUT_TOKENS]: input,
    [ATTR_GEN_AI_USAGE_OUTPUT_TOKENS]: countOf(metrics["completion_tokens"]),
    [ATTR_GEN_AI_USAGE_CACHE_READ_INPUT_TOKENS]: read,
    ...(written > 0 &&
      read + written <= input && { [ATTR_GEN_AI_USAGE_CACHE_WRITE_INPUT_TOKENS]: written }),
    ...(reasoning !== undefined && { [ATTR_GEN_AI_USAGE_REASONING_OUTPUT_TOKENS]: reasoning }),
    ...statedCost(metrics["cost_usd"]),
  };
}

/** As Harbor's adapters of Codex and of Gemini CLI write them, and others. */
const REASONING = ["reasoning_output_tokens", "thoughts_tokens", "reasoning_tokens"];

/** The session that a trajectory was made of by us; `undefined` for those of others, and for what was changed since. */
export function sessionIn(trajectory: PlainObject): Session | undefined {
  const { session, runs } = flowOf(trajectory);
  if (!isObject(session) || !Array.isArray(runs)) return undefined;
  const placed = new Map<string, (Step & { readonly at: number })[]>();
  for (const one of trajectoriesIn(trajectory))
    for (const step of listOf(one["steps"]).filter(isObject)) {
      const { run, steps } = flowOf(step);
      if (typeof run !== "string") continue;
      const own = listOf(unpacked(steps, step)) as (Step & { at: number })[];
      placed.set(run, [...(placed.get(run) ?? []), ...own]);
    }
  const conversations = runs.filter(isObject).map((run) => ({
    ...run,
    steps: (placed.get(toText(run["conversation_id"])) ?? [])
      .toSorted((a, b) => a.at - b.at)
      .map(({ at: _, ...step }) => step),
  }));
  return { ...session, conversations } as unknown as Session;
}

function flowOf({ extra }: PlainObject): PlainObject {
  return membersOf(membersOf(extra)["thoughtflow"]);
}

/** What an agent is told first; `undefined` where nobody tells it anything. */
export function promptOf({ steps }: PlainObject): string | undefined {
  const first = listOf(steps)
    .filter(isObject)
    .find(({ source }) => source === "user");
  return first && wordsOf(partsOf(first["message"]));
}

export interface TrajectoryAgent {
  readonly name: string;
  readonly version: string | undefined;
  readonly model: string | undefined;
  /** In the form of OpenAI's functions. */
  readonly tools: readonly unknown[];
}

/** What an agent is called, and which version it is. */
export function agentOf({ agent }: PlainObject): TrajectoryAgent {
  const { name, version, model_name, tool_definitions } = membersOf(agent);
  return {
    name: textOf(name) ?? "agent",
    version: textOf(version),
    model: textOf(model_name),
    tools: listOf(tool_definitions),
  };
}
