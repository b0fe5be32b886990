import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { recordsOfText } from "../../../testing/imported-records.ts";
import { anthropicLine, type LoggedRequest } from "../../../testing/logged-lines.ts";
import { proxyLog } from "../proxy-log/proxy-log.ts";

/** A session of a program that offers no tools, or whose log does not say which. */
async function sessionOf(requests: readonly LoggedRequest[]) {
  const lines = requests.map((one, n) =>
    JSON.stringify(anthropicLine(one, n)).replace(/"tools":\[.*?\],/, ""),
  );
  const { records } = await recordsOfText(proxyLog, lines.join("\n"));
  const [session] = assemble(records);
  return {
    title: session?.title,
    agents: session?.agents?.map(({ name }) => name),
    runs: session?.conversations.map(({ name }) => name),
  };
}

const system = "You are a teacher of geography.";
const [paris, rome] = [{ text: "Paris." }, { text: "Rome." }];

test("a talk without tools is an agent's, from its first question on, and each question begins a run", async () => {
  const first = ["What is the capital of France?"];
  const second = [...first, paris, "And of Italy?"];
  const asked = [
    { from: 0, to: 1, system, said: first, answer: paris },
    { from: 10, to: 11, system, said: second, answer: rome },
  ];
  expect(await sessionOf(asked)).toEqual({
    title: "What is the capital of France?",
    agents: ["agent: teacher of geography"],
    runs: ["What is the capital of France?", "And of Italy?"],
  });
});

test("a question that failed and was asked again is the same talk's", async () => {
  const said = ["What is the capital of France?"];
  const asked = [
    { from: 0, to: 1, system, said },
    { from: 2, to: 3, system, said, answer: paris },
    { from: 10, to: 11, system, said: [...said, paris, "And of Italy?"], answer: rome },
  ];
  expect(await sessionOf(asked)).toEqual({
    title: "What is the capital of France?",
    agents: ["agent: teacher of geography"],
    runs: ["What is the capital of France?", "And of Italy?"],
  });
});

test("who asks for tools has some, though no line of the log says which", async () => {
  const answer = { text: "", tasks: [["t1", "Count all files of the project"]] as const };
  const asked = [
    { from: 0, to: 1, system, said: ["Look around"], answer },
    { from: 2, to: 3, system: "s", said: ["Count all files of the project"], answer: paris },
  ];
  expect(await sessionOf(asked)).toEqual({
    title: "Look around",
    agents: ["agent: teacher of geography", "sub-agent"],
    runs: ["Look around"],
  });
});

test("what nobody goes on from, or was only begun for the model, is asked beside", async () => {
  const begun = ["Give it a title", { text: "{" }];
  const asked = [
    { from: 0, to: 1, system, said: ["Give it a title"], answer: { text: "Capitals" } },
    { from: 2, to: 3, system, said: begun, answer: { text: "Capitals" } },
  ];
  const { agents } = await sessionOf(asked);
  expect(agents).toEqual([`side: ${system}`, `side: ${system}`]);
});

test("an agent of another prompt that is asked the same does not make it its own", async () => {
  const said = ["Look at all files"];
  const asked = [
    { from: 0, to: 1, system: "You give titles.", said, answer: { text: "Files" } },
    { from: 2, to: 3, system, said, answer: paris },
    { from: 4, to: 5, system, said: [...said, paris, "Go on"], answer: rome },
  ];
  const { agents } = await sessionOf(asked);
  expect(agents).toEqual(["side: You give titles.", "agent: teacher of geography"]);
});
