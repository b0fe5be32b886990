import type { Exchange } from "@thoughtflow/testkit";
import { listRecordings, loadExchanges } from "@thoughtflow/testkit";
import { describe, expect, it } from "vitest";
import type { Dialect } from "./dialect.ts";
import { openaiChat, openaiCompletions, openaiEmbeddings, openaiResponses } from "./index.ts";

const all = listRecordings().flatMap((name) =>
  loadExchanges(name).map((exchange, index) => ({ name: `${name} #${index}`, exchange })),
);

function dialectOf({ path }: Exchange): Dialect | undefined {
  const [plain = ""] = path.split("?", 1);
  if (plain.endsWith("/chat/completions")) return openaiChat;
  if (plain.endsWith("/responses")) return openaiResponses;
  if (plain.endsWith("/completions")) return openaiCompletions;
  return plain.endsWith("/embeddings") ? openaiEmbeddings : undefined;
}

const eventsOf = (body: string): unknown[] =>
  body
    .split("\n")
    .filter((line) => line.startsWith("data: {"))
    .map((line) => JSON.parse(line.slice("data: ".length)));

function responseOf(dialect: Dialect, exchange: Exchange): unknown {
  if (!exchange.stream) return JSON.parse(exchange.response.body);
  const fold = dialect.createFold();
  for (const event of eventsOf(exchange.response.body)) fold.add(event);
  return fold.response();
}

const answered = all.flatMap(({ name, exchange }) => {
  const dialect = dialectOf(exchange);
  if (dialect === undefined || exchange.response.status !== 200) return [];
  return [{ name, exchange, dialect, response: responseOf(dialect, exchange) }];
});

describe("recorded traffic", () => {
  it("holds the calls this suite is about", () => {
    const called = (dialect: Dialect) => answered.filter((one) => one.dialect === dialect).length;
    const dialects = [openaiChat, openaiResponses, openaiCompletions, openaiEmbeddings];
    expect(dialects.filter((dialect) => called(dialect) < 3)).toEqual([]);
  });

  it.each(answered)(
    "$name: an answer, copied through JSON or not, sent back gives equal parts",
    ({ dialect, response }) => {
      const answers = dialect.outputMessages(response);
      const resent =
        dialect === openaiResponses
          ? dialect
              .inputItems({ input: (response as { output?: unknown }).output })
              .flatMap((item) => dialect.messageOf(item)?.parts ?? [])
          : dialect === openaiChat
            ? (response as { choices: { message: unknown }[] }).choices.flatMap(
                ({ message }) =>
                  dialect.messageOf(JSON.parse(JSON.stringify(message)))?.parts ?? [],
              )
            : answers.flatMap(({ parts }) => parts);
      expect(resent).toEqual(answers.flatMap(({ parts }) => parts));
    },
  );

  it.each(
    answered.filter(({ exchange, dialect }) => exchange.stream && dialect === openaiResponses),
  )(
    "$name: the answer built from deltas alone is the answer that the API sent at the end",
    ({ exchange, dialect, response }) => {
      const fold = dialect.createFold();
      for (const event of eventsOf(exchange.response.body)) {
        const { type } = event as { type?: string };
        if (type === "response.completed" || type === "response.output_item.done") continue;
        fold.add(event);
      }
      expect(dialect.outputMessages(fold.response())).toEqual(dialect.outputMessages(response));
    },
  );

  it.each(answered)(
    "$name: what an agent sends back as history is what it was answered",
    ({ name, dialect, response }) => {
      const next = answered[answered.findIndex((other) => other.name === name) + 1];
      const [file] = name.split(" ");
      if (next === undefined || !next.name.startsWith(`${file} `) || next.dialect !== dialect)
        return;
      const ids = callIds(dialect.outputMessages(response));
      const items = dialect.inputItems(next.exchange.request.body);
      const history = items.flatMap((item) => dialect.messageOf(item) ?? []);
      const sent = callIds(history).filter((call) => ids.some(({ id }) => id === call.id));
      expect(sent).toEqual(ids.filter(({ id }) => sent.some((call) => call.id === id)));
    },
  );
});

function callIds(messages: ReturnType<Dialect["outputMessages"]>) {
  return messages.flatMap(({ parts }) =>
    parts.filter((part) => part.type === "tool_call").map((part) => part as { id?: string }),
  );
}
