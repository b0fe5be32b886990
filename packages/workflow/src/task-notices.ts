const OPENING = /^\s*<task-notification>/;
const NOTICES = /<task-notification>([\s\S]*?)(?:<\/task-notification>|$)/g;
const SUMMARY = /<summary>([\s\S]*?)<\/summary>/;
const RESULT = /<result>([\s\S]*?)(?:<\/result>|$)/;

/** What Claude Code tells an agent in a user's place of that which is done in the background; `undefined` of other texts. */
export function taskNotices(text: string): string | undefined {
  if (!OPENING.test(text)) return undefined;
  const said = [...text.matchAll(NOTICES)].flatMap(([, told = ""]) => {
    const [summary, result] = [SUMMARY, RESULT].map((part) => part.exec(told)?.[1]?.trim() ?? "");
    const words = [summary, result].filter((part) => part !== "");
    return words.length === 0 ? [] : [words.join(": ")];
  });
  return said.join(" · ") || undefined;
}
