import { THINK_ALOUD, THINK_ALOUD_TYPES, thinkAloudParameters } from "@thoughtflow/thoughts";

/** A JSON Schema, as tool definitions of every API take it. */
type JsonSchema = Record<string, unknown>;

/** An entry of `tools` of chat completions. */
export interface ThinkAloudChatTool {
  type: "function";
  function: { name: string; description: string; parameters: JsonSchema };
}

/** An entry of `tools` of the Responses API. */
export interface ThinkAloudResponsesTool {
  type: "function";
  name: string;
  description: string;
  parameters: JsonSchema;
  strict: false;
}

/** An entry of an MCP server's `tools/list`. */
export interface ThinkAloudMcpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema & { type: "object" };
  annotations: { readOnlyHint: true; openWorldHint: false };
}

/** One tool, in the words of three APIs. */
export interface ThinkAloudTools {
  readonly chat: ThinkAloudChatTool;
  readonly responses: ThinkAloudResponsesTool;
  readonly mcp: ThinkAloudMcpTool;
}

/** What the tool offers. */
export interface ThinkAloudOffer {
  /** The kinds of thought to choose from; give the same to `executeThinkAloud` as `allowedTypes`. Default: `planning`, `reasoning`, `reflection`, `decision`, `observation`, `critique`. */
  readonly types?: readonly string[];
}

const DESCRIPTION =
  "Say what you think before you act: a plan, a decision and what you did not choose, something you noticed, a look back. It does nothing else, and the user does not see it. Not for every step: when it matters how you got there.";

/** The definitions of the tool, all from one schema. Each call makes new objects: an app may change them. */
export function defineThinkAloud({
  types = THINK_ALOUD_TYPES,
}: ThinkAloudOffer = {}): ThinkAloudTools {
  const schema = (): JsonSchema & { type: "object" } => {
    const parameters = structuredClone(thinkAloudParameters);
    const { thought_type: kind } = parameters.properties;
    return {
      ...parameters,
      properties: {
        ...parameters.properties,
        thought_type:
          types === THINK_ALOUD_TYPES
            ? kind
            : { type: "string", enum: [...types], description: "What kind of thought it is." },
      },
    };
  };
  const named = { name: THINK_ALOUD, description: DESCRIPTION };
  return {
    chat: { type: "function", function: { ...named, parameters: schema() } },
    responses: { type: "function", ...named, parameters: schema(), strict: false },
    mcp: {
      ...named,
      title: "Think aloud",
      inputSchema: schema(),
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
  };
}

/** The tool with its six kinds of thought: `tools: [...tools, thinkAloudTool.chat]`. */
export const thinkAloudTool: ThinkAloudTools = defineThinkAloud();
