import { expect, test } from "vitest";
import { toolDeclarations } from "./tool-declarations.ts";

const search = {
  name: "search",
  description: "Finds pages.",
  parameters: {
    type: "object",
    properties: {
      query: { type: "string", description: "In plain words." },
      where: { enum: ["web", "mail"] },
      within: {
        type: "object",
        properties: { days: { type: "array", items: { type: "number" } } },
      },
    },
    required: ["query"],
  },
};

test.each([
  ["chat completions", [{ type: "function", function: search }]],
  ["responses", [{ type: "function", ...search }]],
  ["MCP", [{ ...search, parameters: undefined, inputSchema: search.parameters }]],
])("tools of %s are declared as models see them", (_, tools) => {
  expect(toolDeclarations(JSON.stringify(tools))).toBe(
    [
      "// Finds pages.",
      "type search = (_: {",
      "// In plain words.",
      "query: string,",
      'where?: "web" | "mail",',
      "within?: {",
      "days?: number[],",
      "},",
      "}) => any;",
    ].join("\n"),
  );
});

test.each(["", "tools:3", "{}", "null"])("%j is no list of tools and stays", (text) => {
  expect(toolDeclarations(text)).toBe(text);
});

test("a schema of any shape and depth can be read", () => {
  let deep: object = { type: "string" };
  for (let level = 0; level < 500; level++) deep = { type: "object", properties: { deep } };
  for (const odd of [
    null,
    7,
    { function: 3 },
    { parameters: [1] },
    { name: "f", parameters: deep },
  ])
    expect(() => toolDeclarations(JSON.stringify([odd]))).not.toThrow();
});
