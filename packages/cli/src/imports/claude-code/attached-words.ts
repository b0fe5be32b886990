import { isObject, listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";

/** The members of an attachment that hold what the model was given, whatever its kind. */
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

/** What some kinds say in members of their own: what the model was given, and what went wrong in a hook. */
const WORDS_OF_KINDS = new Map<string, (attachment: PlainObject) => readonly unknown[]>(
  Object.entries({
    diagnostics: ({ files }) => listOf(files).flatMap(diagnosticsIn),
    task_status: ({ taskId, status, description, deltaSummary }) =>
      textOf(description) === undefined
        ? []
        : [
            `${textOf(taskId) ?? ""} ${textOf(status) ?? ""}: ${textOf(description)}`.trim(),
            deltaSummary,
          ],
    hook_non_blocking_error: ({ stderr }) => [textOf(stderr)?.trim()],
    hook_stopped_continuation: ({ message }) => [message],
    async_hook_response: ({ response }) => {
      const { systemMessage, hookSpecificOutput } = membersOf(response);
      return [systemMessage, membersOf(hookSpecificOutput)["additionalContext"]];
    },
  }),
);

/** The words of what a record attaches. */
export function attachedWords(attachment: PlainObject): readonly string[] {
  const own = WORDS_OF_KINDS.get(textOf(attachment["type"]) ?? "")?.(attachment) ?? [];
  return [...own, ...ATTACHED_WORDS.map((name) => attachment[name])].flatMap(wordsIn);
}

/** What editors and compilers have against one file. */
function diagnosticsIn(file: unknown): readonly string[] {
  const { uri, diagnostics } = membersOf(file);
  const found = listOf(diagnostics).flatMap((one) => diagnosticIn(membersOf(one)) ?? []);
  return found.length === 0 ? [] : [textOf(uri) ?? "", ...found];
}

function diagnosticIn({ message, severity, source, range }: PlainObject): string | undefined {
  if (textOf(message) === undefined) return undefined;
  const { line } = membersOf(membersOf(range)["start"]);
  return [
    textOf(severity) && `[${severity}]`,
    typeof line === "number" ? `line ${line + 1}:` : undefined,
    message,
    textOf(source) && `(${source})`,
  ]
    .filter((one) => one !== undefined)
    .join(" ");
}
