import type { AdaptationEdit, AdaptationScope } from "./adaptation.ts";
import type { AdaptationRefusal, Adaptations } from "./adaptations.ts";

const SCOPE = {
  agent: { type: "string", description: "Only those that apply to this agent." },
  channel: { type: "string", description: "Only those that apply to this channel." },
};
const ID = { id: { type: "string", description: "As list_adaptations gives it." } };

/** What the tools are, before an API gives them its form. */
const TOOLS = [
  [
    "list_adaptations",
    "Lists the adaptations: editable guidance that is part of your prompt.",
    SCOPE,
    [],
  ],
  ["get_adaptation", "One adaptation with its content.", ID, ["id"]],
  [
    "update_adaptation",
    "Proposes a change of an adaptation. A person decides; until then nothing changes. Ids can be neither added nor deleted.",
    {
      ...ID,
      title: { type: "string", description: "A new title." },
      content: { type: "string", description: "The new guidance, whole." },
      enabled: { type: "boolean", description: "Whether it is part of the prompt." },
      reason: { type: "string", description: "Why, for the person who decides." },
    },
    ["id"],
  ],
  ["reload_adaptations", "Reads the adaptations again.", {}, []],
  ["preview_adaptations", "The text that the enabled adaptations add to the prompt.", SCOPE, []],
] as const;

/** A tool as chat completions take it. */
export interface ChatTool {
  readonly type: "function";
  readonly function: ToolSchema;
}

/** A tool as responses take it. */
export interface ResponsesTool extends ToolSchema {
  readonly type: "function";
  readonly strict: false;
}

/** A tool as a model is offered it; `parameters` is a JSON Schema. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: Record<string, unknown>;
}

const schemas: readonly ToolSchema[] = TOOLS.map(([name, description, properties, required]) => ({
  name,
  description,
  parameters: { type: "object", properties, required, additionalProperties: false },
}));

/** The five tools for `tools` of chat completions. */
export function adaptationChatTools(): ChatTool[] {
  return schemas.map((schema) => ({ type: "function", function: schema }));
}

/** The five tools for `tools` of responses. */
export function adaptationResponsesTools(): ResponsesTool[] {
  return schemas.map((schema) => ({ type: "function", ...schema, strict: false }));
}

/**
 * Does what a model asked for: arguments as an object or as JSON text, the answer as an object to give back. `undefined`
 * for a tool that is none of the five. Nothing that a model can send makes it throw.
 */
export function runAdaptationTool(
  adaptations: Adaptations,
  name: string,
  args: unknown,
): object | undefined {
  if (!schemas.some((schema) => schema.name === name)) return undefined;
  const fields = fieldsOf(args);
  if (fields === undefined) return invalid("the arguments must be a JSON object");
  const { id, reason, ...others } = fields;
  const scope = scopeOf(others);
  switch (name) {
    case "list_adaptations":
      return adaptations.list(scope);
    case "preview_adaptations":
      return adaptations.preview(scope);
    case "reload_adaptations":
      return adaptations.reload();
    case "get_adaptation":
      return typeof id === "string" ? adaptations.get(id) : invalid("id must be text");
    default:
      if (typeof id !== "string") return invalid("id must be text");
      return adaptations.update(
        id,
        others as AdaptationEdit,
        typeof reason === "string" ? reason.slice(0, 1_000) : undefined,
      );
  }
}

function invalid(message: string): AdaptationRefusal {
  return { error: "invalid", message };
}

function scopeOf({ agent, channel }: Readonly<Record<string, unknown>>): AdaptationScope {
  return {
    ...(typeof agent === "string" && { agent }),
    ...(typeof channel === "string" && { channel }),
  };
}

function fieldsOf(args: unknown): Readonly<Record<string, unknown>> | undefined {
  let value = args;
  if (typeof args === "string") {
    try {
      value = args === "" ? {} : JSON.parse(args);
    } catch {
      return undefined;
    }
  }
  if (value === undefined || value === null) return {};
  return typeof value === "object" && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
