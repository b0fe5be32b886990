import type { Edge, Session } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { svg } from "./svg.ts";
import { thread } from "./thread.ts";
import { tree } from "./tree.ts";

const trace = "c4dd07369af08a55473cbd8df368d8be";

function sessionOn(...edges: readonly Edge[]): Session {
  const steps = [
    { step_id: "u", label: "user_message", payload_started: { text: "Another way." } },
    { step_id: "c", label: "assistant_call", edges: [...edges] },
  ];
  return { session_id: "fork", conversations: [{ conversation_id: "r", trace_id: "own", steps }] };
}

const edge = (to: string, type: string): Edge => ({ to, type, origin: "observed" });

test("a session that goes on from another one, or that a step of another one asked for, says so below its id", () => {
  const fork = sessionOn(edge("u", "responds_to"), edge(`${trace}/s_a9b6`, "continues"));
  const told = "goes on from s_a9b6 of another session";
  expect(tree.render(fork).split("\n").slice(2, 4)).toEqual(["fork", told]);
  expect(thread.render(fork).split("\n").slice(2, 4)).toEqual(["fork", told]);
  expect(svg.render(fork)).toContain(`>fork · ${told} · `);
  const member = sessionOn(
    edge(`${trace}/s_1`, "subagent_spawn"),
    edge(`${trace}/s_2`, "subagent_spawn"),
  );
  expect(tree.render(member)).toContain("\nasked for by s_1 of another session, and 1 more\n");
});

test("what is in the session itself, and other edges, say nothing of another one", () => {
  const steps = [{ step_id: "before", label: "assistant_call" }];
  const { conversations, ...session } = sessionOn(
    edge(`${trace}/before`, "continues"),
    edge(`${"f".repeat(32)}/s_1`, "handoff"),
    edge("gone", "continues"),
  );
  const earlier = { conversation_id: "first", trace_id: trace, steps };
  expect(tree.render({ ...session, conversations: [earlier, ...conversations] })).not.toContain(
    "another session",
  );
});
