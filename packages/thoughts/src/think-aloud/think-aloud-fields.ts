/** The name by which models call the tool. */
export const THINK_ALOUD = "think_aloud";

/** Whether a tool of this name takes thoughts; MCP clients put the server's name before it. */
export function isThinkAloud(name: string): boolean {
  return name === THINK_ALOUD || name.endsWith(`__${THINK_ALOUD}`);
}

/** The kinds of thought that the tool offers. Others are kept, too. */
export const THINK_ALOUD_TYPES = [
  "planning",
  "reasoning",
  "reflection",
  "decision",
  "observation",
  "critique",
] as const;

/** Longer ids are no names. */
export const LONGEST_ID = 200;

/** What the tool takes, as JSON Schema: the one source of its definitions, and of what is told where arguments are wrong. */
export interface ThinkAloudParameters {
  readonly type: "object";
  readonly properties: Readonly<Record<ThinkAloudField, Readonly<Record<string, unknown>>>>;
  readonly required: readonly ThinkAloudField[];
}

/** The arguments of the tool, by name. */
export type ThinkAloudField =
  | "thought"
  | "thought_type"
  | "thought_id"
  | "related_to"
  | "confidence"
  | "verbosity"
  | "alternatives";

/** The JSON Schema of the tool's arguments, with the six kinds to choose from. */
export const thinkAloudParameters: ThinkAloudParameters = {
  type: "object",
  properties: {
    thought_id: {
      type: "string",
      description:
        'A short name of your own for this thought, such as "initial_plan" or "weather_check", to refer to it later. Use each name once. Without one you are told which it got.',
    },
    thought: { type: "string", description: "What you think, in plain words." },
    thought_type: {
      type: "string",
      enum: THINK_ALOUD_TYPES,
      description:
        "planning: what you are going to do; reasoning: working through a problem; decision: choosing, with alternatives; observation: something you noticed; reflection: looking back; critique: what is wrong with it.",
    },
    related_to: {
      type: "string",
      description:
        "The thought_id of an earlier thought, or the id of a tool call, that this one is about.",
    },
    confidence: {
      type: "number",
      minimum: 0,
      maximum: 1,
      description: "How sure you are, from 0 to 1.",
    },
    verbosity: {
      type: "string",
      enum: ["brief", "normal", "detailed"],
      description: "Default: normal.",
    },
    alternatives: {
      type: "array",
      items: { type: "string" },
      description: "Of a decision: what you did not choose, and why.",
    },
  },
  required: ["thought", "thought_type"],
};
