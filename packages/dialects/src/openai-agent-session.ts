import {
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_CONVERSATION_ID,
  ATTR_GEN_AI_RESPONSE_STATUS,
  OPERATION_INVOKE_AGENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect, StreamFold } from "./dialect.ts";
import { failureFrom } from "./openai-failure.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { openaiResponses } from "./openai-responses.ts";
import { responsesItemMessage } from "./openai-responses-item.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { usageAttributes } from "./openai-usage.ts";
import { itemsOf, present, propertiesOf, textOf } from "./unknown-values.ts";

/**
 * `beta.agents.sessions`: an agent that the server runs is given input, and tells by events what it does. The id of
 * an existing session is `session_id` of the request.
 */
export const openaiAgentSession: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.agent_session",
  operation: OPERATION_INVOKE_AGENT,
  inputItems: (value) => {
    const request = propertiesOf(value);
    const { input } = request;
    if (typeof input === "string") return [{ role: "user", content: input }];
    return [...itemsOf(input), ...itemsOf(request["events"]).flatMap(inputOfEvent)];
  },
  messageOf: responsesItemMessage,
  systemInstructions: (request) =>
    contentParts(propertiesOf(propertiesOf(request)["agent"])["instructions"]),
  toolDefinitions: (request) => toolDefinitionsOf(propertiesOf(request)["agent"]),
  outputMessages: openaiResponses.outputMessages,
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    return {
      ...requestAttributes({ ...propertiesOf(request["agent"]), stream: request["stream"] }),
      ...present<string>({
        [ATTR_GEN_AI_AGENT_ID]: textOf(request["agent_id"]),
        [ATTR_GEN_AI_CONVERSATION_ID]: textOf(request["session_id"]),
      }),
    };
  },
  responseAttributes: (value) => {
    const session = propertiesOf(value);
    return {
      ...present<string>({
        [ATTR_GEN_AI_CONVERSATION_ID]: textOf(session["id"]),
        [ATTR_GEN_AI_RESPONSE_STATUS]: textOf(session["status"]),
      }),
      ...usageAttributes(session["usage"]),
    };
  },
  failureOf: (value) => {
    const { status, error } = propertiesOf(value);
    return failureFrom(error) ?? (status === "failed" ? { type: "failed" } : undefined);
  },
  createFold,
};

/** A message or a tool's result that is sent into a session. */
function inputOfEvent(value: unknown): readonly unknown[] {
  const event = propertiesOf(value);
  if (Array.isArray(event["input"])) return event["input"];
  const { output } = event;
  return typeof output === "object" && output !== null ? [output] : [];
}

/** The finished items of all turns in order; the last turn tells how it ended, usage is summed over the turns. */
function createFold(): StreamFold {
  const output: unknown[] = [];
  const usages = new Map<unknown, unknown>();
  let id: unknown;
  let status: unknown;
  let error: unknown;
  return {
    add: (value) => {
      const event = propertiesOf(value);
      const type = textOf(event["type"]) ?? "";
      id = event["session_id"] ?? id;
      if (type === "agent.session.turn.item.done") output.push(event["item"]);
      if (type === "error") error = event["error"] ?? event;
      const turn = /^agent\.session\.turn\.(completed|failed|cancelled)$/.exec(type);
      if (turn === null) return;
      status = turn[1];
      const { error: cause } = propertiesOf(event["turn"]);
      if (cause) error = cause;
      if (event["usage"]) usages.set(event["turn_id"], event["usage"]);
    },
    response: () => ({
      id,
      status,
      error,
      output,
      usage: [...usages.values()].reduce(added, undefined),
    }),
  };
}

function added(left: unknown, right: unknown): unknown {
  if (typeof left === "number" && typeof right === "number") return left + right;
  if (typeof right !== "object" || right === null) return right ?? left;
  const sums = { ...propertiesOf(left) };
  for (const [name, value] of Object.entries(right)) sums[name] = added(sums[name], value);
  return sums;
}
