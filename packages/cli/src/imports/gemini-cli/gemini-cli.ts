import { hash } from "node:crypto";
import { basename, dirname } from "node:path";
import { wordsOf } from "@thoughtflow/semconv";
import { agentAbove } from "../conversation/agent-above.ts";
import { createAgentSession } from "../conversation/agent-session.ts";
import type { ImportFormat, ImportReport } from "../import-format.ts";
import { isOfLines, jsonLines, type UnreadableLine } from "../json-lines.ts";
import { jsonOf } from "../json-of.ts";
import { createLossCounter } from "../loss-table.ts";
import { createSessionsBelow, outermostSessions } from "../outermost-sessions.ts";
import { membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import type { SourceFile } from "../source-file.ts";
import { GEMINI_CLI_LOSSES } from "./losses.ts";
import { type PrintedChat, printedChats } from "./printed-chats.ts";
import { isChat, isChatMessage, isSavedHistory } from "./recognise.ts";
import { type Chat, createChatReader } from "./records.ts";
import { historyIn, messagesOfHistory } from "./saved-history.ts";
import { beginningOf, chatSpans, type Started } from "./session.ts";
import { isPrintedAnswer, isStreamEvent } from "./stream-events.ts";
import { createToldChats, wordsIn } from "./told-chats.ts";

interface ChatFile {
  readonly chat: Chat;
  readonly id: string;
  /** The session that a sub-agent belongs to. */
  readonly parentId: string | undefined;
  readonly odd: readonly UnreadableLine[];
  /** A person saved it: it tells what a recorded chat tells, and less. */
  readonly isSaved?: boolean;
  /** It is what the program printed. */
  readonly isPrinted?: boolean;
}

/**
 * Chats of Gemini CLI: one session a file; sub-agents' files stand in a folder that is named after the session. Of sessions
 * without a chat, what was printed.
 */
export const geminiCli: ImportFormat = {
  summary:
    "chats of Gemini CLI: a session-….json or .jsonl, a saved checkpoint-….json, or a directory of them; what `gemini -o stream-json` or `-o json` printed",
  tellsNewsOnly: true,
  what: "a chat of Gemini CLI",
  guessesEnds: true,
  losses: GEMINI_CLI_LOSSES,
  recognise: (value) =>
    isChat(value) || isStreamEvent(value) || isPrintedAnswer(value) || isSavedHistory(value),
  async *read(files, report, _isGrowing, earlier) {
    const countLosses = createLossCounter(GEMINI_CLI_LOSSES, report);
    const chats: ChatFile[] = [];
    const printed: PrintedChat[] = [];
    const saved: ChatFile[] = [];
    for (const file of await filesOfFormat(files, geminiCli, report)) {
      const found = await printedChats(file, countLosses);
      if (found !== undefined) printed.push(...found);
      else {
        const chat = await readChat(file, countLosses);
        (chat.isSaved ? saved : chats).push(chat);
      }
    }
    chats.push(...distinctSaved(saved, chats, report));
    chats.push(...withoutChat(printed, new Set(chats.map(({ id }) => id)), report));
    const placeOf = ({ id, parentId, chat }: ChatFile) => ({
      id,
      parentId,
      ms: beginningOf(chat),
    });
    const below = createSessionsBelow(chats, placeOf);
    const spawning = new Set(["invoke_agent", ...chats.flatMap(({ chat }) => spawningIn(chat))]);
    for (const main of outermostSessions(chats, placeOf, report, earlier)) {
      const session = createAgentSession({
        source: "gemini-cli",
        toldBy: main.isPrinted ? "print-without-ids" : undefined,
        sessionId: main.id,
        agentName: "Gemini CLI",
        spawning,
        promptsOf: ({ prompt, objective }) => [textOf(prompt) ?? textOf(objective) ?? []].flat(),
        report,
      });
      const started = new Map<string, Started>();
      for (const line of main.odd) session.unreadable(line);
      yield* chatSpans(session, main.chat, undefined, started);
      for (const { chat, id, odd, parentId } of below(main)) {
        const [first] = chat.messages;
        const at = { ms: beginningOf(chat), order: first?.number ?? 0 };
        session.began({
          agentId: id,
          at,
          prompt: promptOf(chat),
          below: agentAbove(parentId, main.id),
          ...started.get(id),
        });
        for (const line of odd) session.unreadable(line);
        yield* chatSpans(session, chat, id, started);
      }
      const title = textOf(main.chat.meta["summary"]);
      if (title !== undefined) session.title(title);
      yield* session.finish();
    }
  },
};

/** The sessions of which nothing but what was printed is here, each with all that its processes told. */
function withoutChat(
  printed: readonly PrintedChat[],
  chats: ReadonlySet<string>,
  report: ImportReport,
): readonly ChatFile[] {
  const sessions = new Map<string, PrintedChat[]>();
  for (const one of printed.toSorted((a, b) => a.ms - b.ms)) {
    if (chats.has(one.id)) report.lost("stream of a session", "its chat is here, and tells more");
    else sessions.set(one.id, [...(sessions.get(one.id) ?? []), one]);
  }
  return [...sessions].map(([id, parts]) => ({
    chat: { meta: {}, messages: parts.flatMap(({ messages }) => messages) },
    id,
    parentId: undefined,
    odd: parts.flatMap(({ odd }) => odd),
    isPrinted: true,
  }));
}

/** The saved conversations that no chat tells, and no longer one of them. */
function distinctSaved(
  saved: readonly ChatFile[],
  chats: readonly ChatFile[],
  report: ImportReport,
): readonly ChatFile[] {
  const told = createToldChats();
  for (const { chat } of chats) told.add(wordsIn(chat));
  const ids = new Set<string>();
  const kept: ChatFile[] = [];
  for (const one of saved.toSorted((a, b) => b.chat.messages.length - a.chat.messages.length)) {
    const words = wordsIn(one.chat);
    if (told.has(words)) {
      report.lost("saved conversation", "its chat is here, and tells more");
      continue;
    }
    told.add(words);
    const id = ids.has(one.id) ? `${one.id}_${hashOf(one.chat.messages)}` : one.id;
    ids.add(id);
    kept.push({ ...one, id });
  }
  return kept;
}

async function readChat(
  file: SourceFile,
  countLosses: (value: PlainObject) => void,
): Promise<ChatFile> {
  const reader = createChatReader();
  const odd: UnreadableLine[] = [];
  const take = (record: PlainObject, number: number) => {
    countLosses(record);
    reader.take(record, number);
  };
  if (await isOfLines(file))
    for await (const line of jsonLines(file)) {
      if ("problem" in line) odd.push(line);
      else if (isRecord(line.record)) take(line.record, line.number);
      else odd.push({ ...line, problem: "it is no record of a chat" });
    }
  else {
    const value = jsonOf(await file.text());
    const history = historyIn(value);
    if (history !== undefined) return savedChat(file, value, history, countLosses);
    take(membersOf(value), 1);
  }
  const chat = reader.chat();
  const isAgent = chat.meta["kind"] === "subagent";
  const own = basename(file.name).replace(/\.jsonl?$/, "");
  return {
    chat,
    id: textOf(chat.meta["sessionId"]) ?? own,
    parentId: isAgent ? basename(dirname(file.path ?? file.name)) : undefined,
    odd,
  };
}

/** Many may have one name, as people call them what they like; one that is saved again begins as before. */
function savedChat(
  file: SourceFile,
  value: unknown,
  history: readonly PlainObject[],
  countLosses: (value: PlainObject) => void,
): ChatFile {
  countLosses(Array.isArray(value) ? { history } : membersOf(value));
  const reader = createChatReader();
  reader.take({ messages: messagesOfHistory(history) }, 1);
  const chat = reader.chat();
  const own = basename(file.name).replace(/\.json$/, "");
  const asked = chat.messages.findIndex(({ type }) => type === "user");
  const id = `${own}_${hashOf(chat.messages.slice(0, asked + 1))}`;
  return { chat, id, parentId: undefined, odd: [], isSaved: true };
}

function hashOf(messages: Chat["messages"]): string {
  return hash("sha256", JSON.stringify(messages)).slice(0, 8);
}

const CHANGES = ["$set", "$patch", "$rewindTo"];

function isRecord(record: PlainObject): boolean {
  return isChat(record) || isChatMessage(record) || CHANGES.some((name) => name in record);
}

const OBJECTIVE = /<objective>\n?([\s\S]*?)\n?<\/objective>/;

/** What a sub-agent was asked: a call that was not answered doesn't name it. */
function promptOf({ messages }: Chat): string | undefined {
  const first = messages.find(({ type, added }) => type === "user" && added === undefined);
  const words = first && wordsOf(first.parts);
  return OBJECTIVE.exec(words ?? "")?.[1] ?? words;
}

/** A tool that starts a sub-agent has that one's name. */
function spawningIn({ messages }: Chat): readonly string[] {
  return messages.flatMap(({ toolCalls }) =>
    toolCalls.flatMap(({ name, agentId }) => (agentId === undefined ? [] : [name])),
  );
}
