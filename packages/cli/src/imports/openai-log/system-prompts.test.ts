import { assemble } from "@thoughtflow/assemble";
import { dependenciesOf } from "@thoughtflow/schema/steps";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { openaiLog } from "./openai-log.ts";

interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What the requests of a recording begin with, by the ids of their answers. */
function systemPromptsIn(name: string): ReadonlyMap<string, readonly unknown[]> {
  const told = loadExchanges(name).flatMap(({ request, response }) => {
    const { messages = [] }: { messages?: readonly Message[] } = parsed(request.body);
    const { id }: { id?: string } = parsed(response.body);
    const others = messages.findIndex(({ role }) => role !== "system" && role !== "developer");
    const first = messages.slice(0, others).map(({ content }) => content);
    return id === undefined || first.length === 0 ? [] : [[id, first] as const];
  });
  return new Map(told);
}

/** Streams are none. */
function parsed(body: unknown): Record<string, never> {
  try {
    return typeof body === "string" ? JSON.parse(body) : Object(body);
  } catch {
    return {};
  }
}

const recordings = listRecordings().filter((name) => systemPromptsIn(name).size > 1);

test("there are conversations with a system prompt", () => {
  expect(recordings).not.toEqual([]);
});

test.each(recordings)(
  "each call of %s rests on the system prompt that it was sent",
  async (name) => {
    const lines = loadExchanges(name).map((exchange) => JSON.stringify(exchange));
    const { records } = await recordsOfText(openaiLog, `${lines.join("\n")}\n`);
    const told = assemble(records).flatMap(({ conversations }) =>
      conversations.flatMap(({ steps }) => {
        const policies = new Map(
          steps.flatMap(({ step_id, label, payload_started: { content, content_preview } = {} }) =>
            label === "policy.snapshot" ? [[step_id, content ?? content_preview]] : [],
          ),
        );
        return steps.flatMap((step) => {
          const used = dependenciesOf(step).flatMap((id) => policies.get(id) ?? []);
          const id = step.payload_completed?.["response_id"];
          return step.label === "assistant_call" && used.length > 0 ? [[id, used]] : [];
        });
      }),
    );
    expect(new Map(told as [string, unknown[]][])).toEqual(systemPromptsIn(name));
  },
);
