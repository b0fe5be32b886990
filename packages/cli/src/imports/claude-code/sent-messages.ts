import { isToolCallPart, wordsOf } from "@thoughtflow/semconv";
import { partsOfAnthropic } from "../anthropic-message.ts";
import { spanIdOf } from "../imported-span.ts";
import { listOf, membersOf, textOf, valueOrText } from "../plain-values.ts";
import type { AgentMessages, SentMessage } from "./agent-messages.ts";
import type { AgentOpening } from "./openings.ts";
import { readTranscriptLine, resultBlock, type TranscriptLine } from "./records.ts";

const REPORT = "SubagentHandback";
/** The tools by which agents write to each other. */
const TOOLS: ReadonlySet<string> = new Set(["SendMessage", REPORT]);

/** Whether agents write to each other by this tool. */
export function isMessagingTool(name: string): boolean {
  return TOOLS.has(name);
}

/** Who sends a message. */
export function senderOf(
  sessionId: string,
  tool: string,
  agentId: string | undefined,
): Pick<SentMessage, "sessionId" | "from" | "isReport"> {
  return { sessionId, from: agentId, isReport: tool === REPORT };
}

/** The id of the message that a tool sent, as its result tells it. */
export function messageIdIn(line: TranscriptLine, toolUseId: string): string | undefined {
  const told = membersOf(line.record["toolUseResult"])["msg_id"];
  if (told !== undefined) return textOf(told);
  const words = wordsOf(partsOfAnthropic(resultBlock(line, toolUseId)));
  return words.includes('"msg_id"') ? textOf(membersOf(valueOrText(words))["msg_id"]) : undefined;
}

/** Notes what sub-agents send, as their files tell it: those that they write to may have been read before them. */
export async function noteAllSentIn(
  agents: readonly AgentOpening[],
  messages: AgentMessages,
): Promise<void> {
  for (const opening of agents) await noteSentIn(opening, messages);
}

async function noteSentIn(
  { file, sessionId, agent: { agentId } }: AgentOpening,
  messages: AgentMessages,
): Promise<void> {
  const sent = new Set<string>();
  for await (const source of file.lines()) {
    const { text } = source;
    const isAsked = text.includes(`"SendMessage"`) || text.includes(`"${REPORT}"`);
    if (!isAsked && !(sent.size > 0 && text.includes("msg_id"))) continue;
    const line = readTranscriptLine(source);
    if ("problem" in line) continue;
    for (const part of partsOfAnthropic(line.message["content"])) {
      if (!isToolCallPart(part) || part.id === undefined || !isMessagingTool(part.name)) continue;
      const { id: toolUseId, arguments: input } = part as typeof part & { arguments?: unknown };
      if (toolUseId === undefined) continue;
      sent.add(toolUseId);
      messages.sent({
        ...senderOf(sessionId, part.name, agentId),
        toolUseId,
        spanId: spanIdOf("claude-code", sessionId, "tool", toolUseId),
        traceId: undefined,
        input,
        ms: line.time ?? 0,
      });
    }
    for (const block of listOf(line.message["content"])) {
      const toolUseId = textOf(membersOf(block)["tool_use_id"]);
      if (toolUseId === undefined || !sent.has(toolUseId)) continue;
      const messageId = messageIdIn(line, toolUseId);
      if (messageId !== undefined) messages.identified(sessionId, toolUseId, messageId);
    }
  }
}
