import { expect, test } from "vitest";
import { toolCallPart } from "./tool-call-part.ts";

test("arguments keep the digits of ids that JavaScript would round", () => {
  const part = toolCallPart("c1", "ban", '{"user_id":1234567890123456789,"days":7}');
  expect(part).toMatchObject({ arguments: { user_id: "1234567890123456789", days: 7 } });
});
