import { assemble } from "@thoughtflow/assemble";
import { createRandom } from "@thoughtflow/testkit";
import { workflowOfSessions } from "@thoughtflow/workflow/document";
import { describe, expect, test } from "vitest";
import { anyRequestLog } from "../../../testing/any-request-log.ts";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { LOG_GAPS, type LogGap, lineWithGap } from "../../../testing/log-gaps.ts";
import {
  anthropicLog,
  anyHabits,
  chatLog,
  responsesLog,
} from "../../../testing/request-log-lines.ts";
import { openaiLog } from "../openai-log/openai-log.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

const LOGS = 60;
const FORMS = [
  { form: "Anthropic's Messages", format: proxyLog, write: anthropicLog },
  { form: "OpenAI's chat completions", format: openaiLog, write: chatLog },
  { form: "OpenAI's Responses", format: openaiLog, write: responsesLog },
] as const;

/**
 * What may go wrong, in thousandths of all logs and of all requests. Without answers nothing tells a first request that is sent again from
 * another agent's with the same words, or which of those that wait got an answer whose id says nothing; and a probe that was not answered
 * may have been sent again.
 */
const MOST_WRONG: Readonly<Record<LogGap, { readonly logs: number; readonly requests: number }>> = {
  "no answer is logged": { logs: 300, requests: 30 },
  "only failures are logged": { logs: 270, requests: 22 },
  "some answers are missing": { logs: 200, requests: 12 },
  "some streams are logged in part": { logs: 70, requests: 2 },
};

/** Which of the requests of a log of that number are found to be another agent's, and by how many agents there are too many. */
async function mistakes(
  { format, write }: (typeof FORMS)[number],
  gap: LogGap,
  seed: number,
): Promise<{ readonly requests: number; readonly misplaced: number; readonly agents: number }> {
  const random = createRandom(seed);
  const habits = anyHabits(random);
  const log = anyRequestLog(random);
  const text = log
    .toSorted((a, b) => a.endMs - b.endMs)
    .map((one) => lineWithGap(write(one, habits, log), gap, random))
    .map((line) => `${JSON.stringify(line)}\n`);
  const { records } = await recordsOfText(format, text.join(""));
  const { entities } = workflowOfSessions(assemble(records), {
    extractionTimestamp: "2026-01-01T00:00:00Z",
  });
  const agentIds = new Map(
    entities.api_requests.map((one) => [Date.parse(one.timestamp ?? ""), one.agent_id]),
  );
  const firsts = new Map<string | undefined, number>();
  let misplaced = 0;
  for (const { startMs, number, agent } of log.toSorted((a, b) => a.startMs - b.startMs)) {
    const found = agentIds.get(startMs);
    if (!firsts.has(found)) firsts.set(found, number);
    if (firsts.get(found) !== agent) misplaced++;
  }
  const agents = new Set(log.map(({ agent }) => agent)).size;
  return { requests: log.length, misplaced, agents: firsts.size - agents };
}

describe.each(FORMS)("$form", (form) => {
  test.each(LOG_GAPS)(
    "where %s, nearly all requests are found to be their agents'",
    async (gap) => {
      let [requests, misplaced, wrongLogs] = [0, 0, 0];
      for (let seed = 1; seed <= LOGS; seed++) {
        const found = await mistakes(form, gap, seed);
        requests += found.requests;
        misplaced += found.misplaced;
        if (found.agents !== 0) wrongLogs++;
      }
      expect(requests).toBeGreaterThan(LOGS * 100);
      const most = MOST_WRONG[gap];
      expect(wrongLogs / LOGS).toBeLessThanOrEqual(most.logs / 1000);
      expect(misplaced / requests).toBeLessThanOrEqual(most.requests / 1000);
    },
  );
});
