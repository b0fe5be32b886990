import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson, type Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { recordsOfText } from "../../testing/imported-records.ts";
import { atif } from "./atif/atif.ts";
import { importTotal, totalsOfFile } from "./import-total.ts";

const totals = (calls: number, input: number, total: string | null, status = "priced") => ({
  ...{ runs: 1, steps: 9, tool_calls: 0, errors: 0, model_calls: calls },
  ...{ input_tokens: input, output_tokens: 10 },
  cost: { currency: "USD", total, calls: { [status]: calls } },
});

test("the line of an import has the sums of its sessions, and says how sure the cost is", () => {
  const nothing = { runs: 1, steps: 1, tool_calls: 0, errors: 0, model_calls: 0 };
  const all = [totals(2, 1_200, "0.1"), totals(1, 34, "0.2"), nothing];
  expect(importTotal(all, 3)).toBe("3 sessions: 3 model calls, 1,234 → 20 tokens, $0.30");
  expect(importTotal([...all, totals(1, 1, null, "unknown_model")], 4)).toBe(
    "4 sessions: 4 model calls, 1,235 → 30 tokens, at least $0.30",
  );
  expect(importTotal([nothing, nothing], 2)).toBe("2 sessions: 0 model calls");
});

test("the totals of a session are read of the head of its file", async () => {
  const metrics = { prompt_tokens: 10, completion_tokens: 1 };
  const step = { step_id: 2, source: "agent", message: "Done. ".repeat(9_000), metrics };
  const steps = [{ step_id: 1, source: "user", message: "Do it." }, step];
  const agent = { name: "a", version: "1", model_name: "gpt-5" };
  const trajectory = { schema_version: "ATIF-v1.8", session_id: "s", agent, steps };
  const { records } = await recordsOfText(atif, JSON.stringify(trajectory));
  const [session] = assemble(records) as [Session];
  const resource = { "service.notes": "long ".repeat(20_000) };
  const cwd = directoryWith({
    "s.json": canonicalJson(session),
    "long.json": canonicalJson({ ...session, resource }),
    "odd.json": "{}",
  });
  expect(totalsOfFile(join(cwd, "s.json"))).toEqual(session.totals);
  expect(totalsOfFile(join(cwd, "long.json"))).toEqual(session.totals);
  expect(totalsOfFile(join(cwd, "odd.json"))).toBeUndefined();
  expect(totalsOfFile(join(cwd, "none.json"))).toBeUndefined();
});
