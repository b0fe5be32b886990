import { propertiesOf, textOf } from "../unknown-values.ts";
import { anyParts } from "./any-part.ts";
import type { Reader } from "./reader.ts";
import { valueAt } from "./readers.ts";

const FIRST_ROLE = "llm.input_messages.0.message.role";

/** Anthropic's instructions, which stand beside the messages of a request; not where they are told as the first of these, too. */
export const systemBeside: Reader = {
  as: "its `system`",
  isPart: true,
  read(span, name) {
    const parts = anyParts(propertiesOf(span.value(name))["system"] ?? []);
    if (parts.length === 0 || span.text(FIRST_ROLE) === "system") return undefined;
    return JSON.stringify(parts);
  },
};

/** How ids of answers begin, with OpenAI and Anthropic. Others have ids of their own there. */
const RESPONSE_ID = /^(?:chatcmpl-|resp_|msg_)/;

/** The id of an answer inside of a JSON object that holds it; a number stands for an item of a list. */
export function answerIdAt(...path: readonly (string | number)[]): Reader {
  return {
    as: `the answer's id, its \`${path.join(".")}\``,
    isPart: true,
    read(span, name) {
      const id = textOf(valueAt(span.value(name), path));
      return id !== undefined && RESPONSE_ID.test(id) ? id : undefined;
    },
  };
}
