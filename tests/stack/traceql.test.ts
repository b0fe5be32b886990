import { test } from "vitest";
import { startTempo } from "./tempo.ts";
import { expectTraceqlToFindSteps } from "./traceql.ts";

test("TraceQL finds steps by session, by what they rest on, by kind of link and by operation", async () => {
  await using tempo = await startTempo();
  await expectTraceqlToFindSteps(tempo);
}, 240_000);
