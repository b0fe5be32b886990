import type { Span } from "@opentelemetry/api";
import type { ModelCallContent } from "@thoughtflow/tracing/internal";
import { expect, test } from "vitest";
import { exposeStructure } from "./message-exposure.ts";

test("a secret that a model gives as the name of a tool does not travel with the structure of its messages", () => {
  const set: unknown[] = [];
  const span = {
    setAttribute: (_name: string, value: unknown) => set.push(value),
  } as unknown as Span;
  const content = {
    dialect: { inputItems: () => [] },
    request: {},
  } as unknown as ModelCallContent;
  const key = "sk-proj-k7Qw9Zx2Lm4Rt6Yp8Vb1Nc3Hd5Jf7Gs9";
  const part = { type: "tool_call", id: "call_1", name: key, arguments: "{}" } as const;
  exposeStructure(span, content, { known: 0 } as Parameters<typeof exposeStructure>[2], [
    { role: "assistant", parts: [part] },
  ]);
  const [text] = set;
  expect(text).not.toContain(key);
  expect(JSON.parse(String(text)).output).toEqual([
    {
      role: "assistant",
      parts: [{ type: "tool_call", id: "call_1", name: "[redacted: api_key]", length: 2 }],
    },
  ]);
});
