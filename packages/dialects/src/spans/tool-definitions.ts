import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import type { Reader } from "./reader.ts";
import { parsedOr } from "./span-view.ts";

type Properties = Readonly<Record<string, unknown>>;

/**
 * Definitions of tools in the conventions' form, from that of any provider: OpenAI's nested `function`, Anthropic's
 * `input_schema`, Gemini's `functionDeclarations`, the Vercel AI SDK's `inputSchema`, Haystack's `data`, Bedrock's `toolSpec`. What is none of these stays as it is.
 */
export function toolDefinitions(list: readonly unknown[]): readonly unknown[] {
  if (list.length === 0) return list;
  return list.flatMap((item) => {
    const tool = propertiesOf(typeof item === "string" ? parsedOr(item) : item);
    const declared = itemsOf(tool["functionDeclarations"] ?? tool["function_declarations"]);
    return declared.length > 0 ? toolDefinitions(declared) : [definition(tool, item)];
  });
}

function definition(tool: Properties, item: unknown): unknown {
  const data = propertiesOf(tool["data"]);
  // Haystack's tools, with the name of their class beside them.
  if (textOf(data["name"]) !== undefined) return definition(data, item);
  const { inputSchema: schema, ...spec } = propertiesOf(tool["toolSpec"]);
  if (textOf(spec["name"]) !== undefined)
    return definition({ ...spec, parameters: propertiesOf(schema)["json"] ?? schema }, item);
  const inner = propertiesOf(tool["function"]);
  const told = textOf(inner["name"]) === undefined ? tool : inner;
  if (textOf(told["name"]) === undefined) return item;
  const {
    function: _,
    type = "function",
    input_schema,
    inputSchema,
    ...rest
  } = { ...tool, ...told };
  const parameters =
    rest["parameters"] ?? input_schema ?? inputSchema ?? rest["parametersJsonSchema"];
  return { type, ...rest, ...(parameters !== undefined && { parameters }) };
}

/** Whether a message is the definition of a tool: LangChain's callbacks list them among the messages. */
export function isToolDefinition(message: unknown): boolean {
  const { role, content } = propertiesOf(message);
  const { type, function: inner } = propertiesOf(content);
  return (
    role === "tool" && type === "function" && textOf(propertiesOf(inner)["name"]) !== undefined
  );
}

/** A list of definitions, or the `tools` of a request. */
export const definitions: Reader = {
  as: "tool definitions",
  read(span, name) {
    const value = span.value(name);
    const listed = Array.isArray(value) ? value : itemsOf(propertiesOf(value)["tools"]);
    return listed.length > 0 ? JSON.stringify(toolDefinitions(listed)) : undefined;
  },
};

/** The definitions beside the messages of a request, or among them. */
export const definitionsBeside: Reader = {
  as: "tool definitions in it",
  read(span, name) {
    const value = span.value(name);
    const among = itemsOf(value)
      .filter(isToolDefinition)
      .map((message) => propertiesOf(message)["content"]);
    const listed = among.length > 0 ? among : itemsOf(propertiesOf(value)["tools"]);
    return listed.length > 0 ? JSON.stringify(toolDefinitions(listed)) : undefined;
  },
};
