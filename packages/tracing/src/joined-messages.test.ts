import { describe, expect, test } from "vitest";
import { joinMessages } from "./joined-messages.ts";
import { keepTexts, MOST_KEPT_BYTES } from "./kept-texts.ts";
import type { MaterialisedMessage } from "./materialised-message.ts";

function said(content: string): MaterialisedMessage {
  const message = { role: "user", parts: [{ type: "text" as const, content }] };
  return { message, json: JSON.stringify(message) };
}

function expectJoined(messages: readonly MaterialisedMessage[]): void {
  expect(JSON.parse(joinMessages(messages))).toEqual(messages.map(({ message }) => message));
}

describe("the messages of an input as one text", () => {
  const first = ["a", "b", "c"].map(said);

  test("are the same for an input that is sent again, goes on, or is one of two that go on", () => {
    for (const more of [[], [], ["d"], ["d", "e"], ["f", "g", "h"]]) {
      expectJoined([...first, ...more.map(said)]);
    }
    const third = [...first, said("d")];
    expectJoined(third);
    expectJoined(first);
    expectJoined([...third, ...Array.from("0123456789", said)]);
    expectJoined([]);
  });

  test("tell a message that was changed, taken out or put elsewhere", () => {
    expectJoined(first);
    const [a, b, c] = first as [MaterialisedMessage, MaterialisedMessage, MaterialisedMessage];
    for (const other of [[a, said("B"), c], [b, c], [b, a, c], [c], [a, b, c, c]]) {
      expectJoined(other);
      expectJoined(first);
    }
  });

  test("are put together anew when all texts were more than may be kept", () => {
    expectJoined(first);
    const large = Array.from({ length: 3 }, () => said("x".repeat(MOST_KEPT_BYTES / 4)));
    const held = large.map((one) => keepTexts([one]));
    expectJoined([...first, said("d")]);
    expect(held).toHaveLength(3);
  });
});
