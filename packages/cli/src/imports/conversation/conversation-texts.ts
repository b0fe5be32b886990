import type { ContentAttributes } from "@thoughtflow/schema";
import {
  ATTR_GEN_AI_INPUT_MESSAGES,
  ATTR_GEN_AI_OUTPUT_MESSAGES,
  ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
  ATTR_GEN_AI_TOOL_CALL_ARGUMENTS,
  ATTR_GEN_AI_TOOL_CALL_RESULT,
  ATTR_GEN_AI_TOOL_DEFINITIONS,
  type GenAiMessage,
  type GenAiPart,
} from "@thoughtflow/semconv";
import type { ImportReport } from "../import-format.ts";
import type { CallSetting, ToolAnswer } from "./conversation.ts";

/** What is said in a conversation, as JSON texts without secrets. */
export interface ConversationTexts {
  /** What a model is given beside the messages: calls may share the texts. */
  setting(setting: CallSetting): ContentAttributes;
  /** A message that a model is given. */
  message(value: GenAiMessage): string;
  /** A part of an answer. */
  part(part: GenAiPart): string;
  /** What a tool is asked: it stands in the tool's span and in the answer that asks it. */
  arguments(value: unknown): string;
  /** The part of an answer that asks a tool, with the arguments as they are kept. */
  toolCallPart(part: GenAiPart, kept: string): string;
  /** What a tool gave: it stands in the tool's span and in the message to the model. */
  result(value: unknown): string | undefined;
  /** The message that gives a model what tools gave. */
  toolMessage(answers: readonly ToolAnswer[]): string;
}

export function createConversationTexts(report: Pick<ImportReport, "content">): ConversationTexts {
  function part(value: GenAiPart): string {
    return report.content(value, ATTR_GEN_AI_OUTPUT_MESSAGES);
  }

  function setting({ instructions, tools = [] }: CallSetting): ContentAttributes {
    return {
      ...(instructions !== undefined && {
        [ATTR_GEN_AI_SYSTEM_INSTRUCTIONS]: report.content(
          [{ type: "text", content: instructions }],
          ATTR_GEN_AI_SYSTEM_INSTRUCTIONS,
        ),
      }),
      ...(tools.length > 0 && {
        [ATTR_GEN_AI_TOOL_DEFINITIONS]: tools.map((tool) =>
          report.content(tool, ATTR_GEN_AI_TOOL_DEFINITIONS),
        ),
      }),
    };
  }

  return {
    setting,
    message: (value) => report.content(value, ATTR_GEN_AI_INPUT_MESSAGES),
    part,
    arguments: (value) => report.content(value, ATTR_GEN_AI_TOOL_CALL_ARGUMENTS),

    toolCallPart(call, kept) {
      const { arguments: asked, ...others } = call as GenAiPart & { readonly arguments?: unknown };
      const text = part(others);
      return asked === undefined ? text : `${text.slice(0, -1)},"arguments":${kept}}`;
    },

    result: (value) =>
      value === undefined ? undefined : report.content(value, ATTR_GEN_AI_TOOL_CALL_RESULT),

    toolMessage(answers) {
      const parts = answers.map(({ callId, kept }) => {
        const id = callId && `,"id":${report.content(callId, ATTR_GEN_AI_INPUT_MESSAGES)}`;
        const response = kept && `,"response":${kept}`;
        return `{"type":"tool_call_response"${id ?? ""}${response ?? ""}}`;
      });
      return `{"role":"tool","parts":[${parts.join(",")}]}`;
    },
  };
}
