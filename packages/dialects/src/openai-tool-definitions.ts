import { itemsOf, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * The offered tools in one flat form, whichever API they were written for. A tool that the provider runs and
 * that has no name is called by its label or its type.
 */
export function toolDefinitionsOf(request: unknown): readonly unknown[] {
  const { tools, functions } = propertiesOf(request);
  return [
    ...itemsOf(tools).map(flatDefinition),
    ...itemsOf(functions).map((item) => ({ type: "function", ...propertiesOf(item) })),
  ];
}

function flatDefinition(item: unknown): unknown {
  const tool = propertiesOf(item);
  const type = textOf(tool["type"]) ?? "function";
  const nested = propertiesOf(tool[type]);
  if (textOf(nested["name"]) !== undefined) return { type, ...nested };
  return { ...tool, type, name: textOf(tool["name"]) ?? textOf(tool["server_label"]) ?? type };
}
