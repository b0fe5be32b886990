import { canonicalJson } from "@thoughtflow/schema/canonical";
import { expect, test } from "vitest";
import { asks, callOf, gives, recordOf, say } from "../testing/record-of.ts";
import { assemble } from "./assemble.ts";

const asked = say("user", "How warm is it?");
const wants = say("assistant", asks("call_1", "look", { city: "Perth" }));
const inTree = { trace: "1", parent: "10" };
const depends = (id: string) => ({ "thoughtflow.depends_on": [id] });

/** A run with a root, two model calls, a tool, one that declares a dependency, one that hangs, and the next run. */
const spans = [
  recordOf({ id: "10", trace: "1", at: 0, until: 20 }),
  callOf({ id: "11", ...inTree, at: 1 }, [asked], [wants]),
  recordOf({
    id: "12",
    ...inTree,
    at: 3,
    attributes: { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.call.id": "call_1" },
  }),
  callOf(
    { id: "13", ...inTree, at: 5 },
    [asked, wants, gives("call_1", "18")],
    [say("assistant", "18")],
  ),
  recordOf({ id: "14", ...inTree, at: 7, attributes: depends("s_0000000000000012") }),
  recordOf({ id: "15", ...inTree, at: 8, open: true }),
  recordOf({ id: "20", trace: "2", at: 30, attributes: depends("s_0000000000000014") }),
];

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items;
  for (const [at, item] of items.entries()) {
    if (items.length < 2) return;
    for (const rest of permutations(items.toSpliced(at, 1))) yield [item, ...rest];
  }
}

test("seven spans in any of their 5,040 orders give the same bytes", () => {
  const documents = new Set<string>();
  let orders = 0;
  for (const order of permutations(spans)) {
    documents.add(assemble(order).map(canonicalJson).join(""));
    orders++;
  }
  expect({ orders, documents: documents.size }).toEqual({ orders: 5_040, documents: 1 });
  const [document = ""] = documents;
  expect(document).toContain('"s_0000000000000014"');
});
