import { isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** The members of an attachment that hold what the model was given. */
export const ATTACHED_WORDS: readonly string[] = [
  "content",
  "blockingError",
  "snippet",
  "planContent",
  "addedBlocks",
  "skills",
];

/** Members of objects that are words, or lead to them: of files, of memories, of what hooks say. */
const LEADS = ["text", "content", "contents", "file", "blockingError"] as const;

/** All words in a value, in their order, however deep. */
export function wordsIn(value: unknown): readonly string[] {
  const words: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next === "string") words.push(next);
    else if (Array.isArray(next)) for (const one of next.toReversed()) open.push(one);
    else if (isObject(next)) for (const name of LEADS.toReversed()) open.push(next[name]);
  }
  return words;
}

/** The words of a record that is no message, or of what it attaches. */
export function textIn(record: PlainObject): string | undefined {
  // What waits is told again where it is handed on.
  if (record["type"] === "queue-operation") return undefined;
  const own = textOf(record["content"]);
  if (own !== undefined) return own;
  if (record["subtype"] === "api_error") return failureIn(membersOf(record["error"]));
  const attachment = membersOf(record["attachment"]);
  return textOf(ATTACHED_WORDS.flatMap((name) => wordsIn(attachment[name])).join("\n"));
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
