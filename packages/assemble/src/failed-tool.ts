import type { FlowError } from "@thoughtflow/schema";
import { isToolCallResponsePart, toolResponseIn } from "@thoughtflow/semconv";
import type { Atom } from "@thoughtflow/workflow";

/** What MCP calls an error: how its server, the way there or the tool itself failed. */
interface ToldError {
  readonly type?: unknown;
  readonly message?: unknown;
  readonly content?: unknown;
}

/** How a tool failed, where its result says so. */
export function failureOf({ parts: [part] }: Atom): FlowError | undefined {
  if (part !== undefined && isToolCallResponsePart(part) && part.is_error === true) {
    const { response } = part;
    return {
      type: "tool_error",
      message: typeof response === "string" ? response : textIn(response),
    };
  }
  if (part?.type !== "server_tool_call_response") return undefined;
  const { error } = (toolResponseIn(part)?.response ?? {}) as { readonly error?: unknown };
  if (!error) return undefined;
  if (typeof error !== "object") return { type: "_OTHER", message: String(error) };
  const { type, message, content } = error as ToldError;
  return {
    type: typeof type === "string" ? type : "_OTHER",
    message: typeof message === "string" ? message : textIn(content ?? error),
  };
}

function textIn(content: unknown): string {
  const texts = (Array.isArray(content) ? content : []).flatMap((one) => {
    const { text } = (one ?? {}) as { readonly text?: unknown };
    return typeof text === "string" ? [text] : [];
  });
  return texts.length > 0 ? texts.join("\n") : JSON.stringify(content);
}
