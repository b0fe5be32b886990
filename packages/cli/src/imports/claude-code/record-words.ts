import { listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { attachedWords } from "./attached-words.ts";

/** The words of a record that is no message, or of what it attaches. */
export function textIn(record: PlainObject): string | undefined {
  // What waits is told again where it is handed on.
  if (record["type"] === "queue-operation") return undefined;
  const own = textOf(record["content"]);
  if (own !== undefined) return own;
  if (record["subtype"] === "api_error") return failureIn(membersOf(record["error"]));
  return textOf(attachedWords(membersOf(record["attachment"])).join("\n"));
}

/** Why a request was made once more: the API's words, or what the network said. */
function failureIn(error: PlainObject): string | undefined {
  const inner = membersOf(error["error"]);
  const said =
    textOf(membersOf(inner["error"])["message"]) ??
    textOf(inner["message"]) ??
    textOf(error["message"]) ??
    textOf(membersOf(error["cause"])["code"]);
  const status = error["status"];
  const words = [typeof status === "number" ? `${status}` : undefined, said];
  return textOf(
    listOf(words)
      .filter((one) => one !== undefined)
      .join(" "),
  );
}
