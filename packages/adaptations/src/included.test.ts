import { expect, test } from "vitest";
import { type Adaptation, includedIn, LIMITS } from "./adaptation.ts";

/** An adaptation with a text of so many characters. */
function item(id: string, length: number, rest: Partial<Adaptation> = {}): Adaptation {
  return { id, title: id, content: "x".repeat(length), scope: {}, enabled: true, ...rest };
}

test("what is in force for a scope stands in the prompt as far as there is room, and the rest is named", () => {
  const items = [
    item("adn.off", 10, { enabled: false }),
    item("adn.empty", 0),
    item("adn.voice", 10, { scope: { channel: "voice" } }),
    item("adn.first", LIMITS.text - 20),
    item("adn.over", 20),
  ];
  const idsOf = (some: readonly Adaptation[]) => some.map(({ id }) => id);
  const chat = includedIn(items, { channel: "chat" });
  expect([idsOf(chat.included), idsOf(chat.leftOut)]).toEqual([["adn.first"], ["adn.over"]]);
  const voice = includedIn(items.slice(0, 4), { channel: "voice" });
  expect([idsOf(voice.included), idsOf(voice.leftOut)]).toEqual([["adn.voice", "adn.first"], []]);
});
