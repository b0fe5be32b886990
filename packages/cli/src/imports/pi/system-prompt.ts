import { toText } from "@thoughtflow/semconv";
import type { CallSetting } from "../conversation/conversation.ts";
import { isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { partsOf } from "./records.ts";

/** The system prompt and the tools, as messages of the role `system` change them: section by section, tool by tool. */
export interface SystemPrompt {
  take(message: PlainObject): void;
  /** The same, where a message tells all of it. */
  replace(message: PlainObject): void;
  /** What the next call is given beside the messages, where it was told since the call before. */
  takeChange(): CallSetting | undefined;
}

export function createSystemPrompt(): SystemPrompt {
  /** By name; `""`: what stands in none. */
  const sections = new Map<string, string>();
  const tools = new Map<string, object>();
  let isChanged = false;

  function take({ content, sections: named, toolsAdded, toolsRemoved }: PlainObject): void {
    isChanged = true;
    const words = partsOf(content).map((part) => toText(part["content" as never]));
    const text = words.join("\n");
    if (text !== "") sections.set("", text);
    for (const [name, section] of Object.entries(membersOf(named))) {
      const told = textOf(section);
      if (told === undefined) sections.delete(name);
      else sections.set(name, told);
    }
    for (const tool of listOf(toolsAdded).filter(isObject)) {
      const { name, description, parameters } = tool;
      tools.set(toText(name), { type: "function", name, description, parameters });
    }
    for (const tool of listOf(toolsRemoved)) tools.delete(toText(membersOf(tool)["name"]));
  }

  return {
    take,
    replace(message) {
      sections.clear();
      tools.clear();
      take(message);
    },
    takeChange() {
      if (!isChanged) return undefined;
      isChanged = false;
      const instructions = [...sections.values()].join("\n\n");
      return { instructions: textOf(instructions), tools: [...tools.values()] };
    },
  };
}
