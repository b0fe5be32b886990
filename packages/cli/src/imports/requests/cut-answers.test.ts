import { assemble } from "@thoughtflow/assemble";
import type { Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import type { LoggedAnswer, LoggedRequest } from "../../../testing/logged-lines.ts";
import { REQUEST_LOGS } from "../../../testing/request-logs.ts";

const WHOLE = "The parser reads a line, splits it at the first colon and keeps the rest.";
const CUT = "The parser reads a line, splits";
const QUESTION = "What does the parser do?";

async function sessionOf(
  [, format, lineOf]: (typeof REQUEST_LOGS)[number],
  requests: readonly Pick<LoggedRequest, "said" | "answer">[],
): Promise<Session> {
  const lines = requests.map((request, n) =>
    JSON.stringify(lineOf({ from: n, to: n + 0.5, system: "main", ...request }, n)),
  );
  const { records } = await recordsOfText(format, `${lines.join("\n")}\n`);
  const [session] = assemble(records) as [Session];
  return session;
}

const agentsOf = ({ agents = [] }: Session) => agents.map(({ agent_id }) => agent_id);

test.each(REQUEST_LOGS)(
  "%s: an agent whose answer was interrupted goes on, and what came back of the answer rests on it",
  async (...log) => {
    const session = await sessionOf(log, [
      { said: [QUESTION], answer: { text: WHOLE } },
      { said: [QUESTION, { text: CUT }, "Shorter, please."], answer: { text: "It reads lines." } },
    ]);
    expect(agentsOf(session)).toEqual(["agent_msg_0"]);
    const steps = session.conversations.flatMap((run) => run.steps);
    const [whole, cut] = steps.filter(({ label }) => label === "assistant_message");
    expect([whole, cut].map((step) => step?.payload_completed?.["text"])).toEqual([WHOLE, CUT]);
    expect(cut?.edges).toEqual([
      expect.objectContaining({
        to: expect.stringContaining(whole?.step_id ?? "?"),
        type: "depends_on",
        origin: "inferred",
        confidence: 0.9,
      }),
    ]);
    const [asked, shorter] = steps.filter(({ label }) => label === "user_message");
    const call = steps.findLast(({ label }) => label === "assistant_call");
    expect(
      (call?.payload_started?.["input"] as string[] | undefined)?.map((id) => id.split("/").at(-1)),
    ).toEqual([asked?.step_id, cut?.step_id, shorter?.step_id]);
  },
);

test.each(REQUEST_LOGS)(
  "%s: where nothing but an answer's tool calls was left out it is the same agent, too",
  async (...log) => {
    const answer: LoggedAnswer = { text: "I look.", tasks: [["t1", "Look at the parser."]] };
    const session = await sessionOf(log, [
      { said: [QUESTION], answer },
      { said: [QUESTION, { text: "I look." }, "Stop."], answer: { text: "Stopped." } },
    ]);
    expect(agentsOf(session)).toEqual(["agent_msg_0"]);
  },
);

test.each(REQUEST_LOGS)(
  "%s: what begins otherwise than the answer, says more, or too little to tell, is another agent's",
  async (...log) => {
    const other = (text: string) => ({
      said: [QUESTION, { text }, "And?"],
      answer: { text: "So." },
    });
    const session = await sessionOf(log, [
      { said: [QUESTION], answer: { text: WHOLE } },
      other("The lexer reads"),
      other(`${WHOLE} So it does.`),
      other("The"),
    ]);
    expect(agentsOf(session)).toEqual(["agent_msg_0", "agent_msg_1", "agent_msg_2", "agent_msg_3"]);
  },
);

test.each(REQUEST_LOGS)(
  "%s: of several that were asked the same the one goes on whose answer began so",
  async (...log) => {
    const session = await sessionOf(log, [
      { said: [QUESTION], answer: { text: "It counts words." } },
      { said: [QUESTION], answer: { text: WHOLE } },
      { said: [QUESTION, { text: CUT }, "Shorter, please."], answer: { text: "It reads lines." } },
    ]);
    expect(agentsOf(session)).toEqual(["agent_msg_0", "agent_msg_1"]);
    const last = session.conversations.flatMap((run) => run.steps).at(-1);
    expect(last?.agent_id).toBe("agent_msg_1");
  },
);

test.each(REQUEST_LOGS)(
  "%s: an agent that writes what a tool gave behind its own answer goes on, answer by answer",
  async (...log) => {
    const thoughts = ["I need facts.\nAction: search", "I need more.\nAction: search again"];
    const [first, second] = thoughts.map((text) => ({ text: `${text}\nObservation: found` }));
    const session = await sessionOf(log, [
      { said: [QUESTION], answer: { text: thoughts[0] ?? "" } },
      { said: [QUESTION, first ?? CUT], answer: { text: thoughts[1] ?? "" } },
      { said: [QUESTION, first ?? CUT, second ?? CUT], answer: { text: "Final Answer: so." } },
    ]);
    expect(agentsOf(session)).toEqual(["agent_msg_0"]);
    const said = session.conversations.flatMap(({ steps }) =>
      steps.filter(({ label }) => label === "assistant_message"),
    );
    expect(said.map((step) => step.payload_completed?.["text"])).toEqual(
      expect.arrayContaining([...thoughts, first?.text, second?.text, "Final Answer: so."]),
    );
  },
);
