import { describe, expect, test } from "vitest";
import { agentTreeOf } from "../../testing/agent-tree.ts";
import { handedOn } from "../../testing/openhands-events.ts";
import type { ImportFormat } from "./import-format.ts";
import { IMPORT_FORMATS } from "./index.ts";
import { type SourceFile, sourceText } from "./source-file.ts";

const file = (path: string, text: string): SourceFile => ({ ...sourceText(text, path), path });
const lines = (...records: readonly object[]) =>
  records.map((record) => JSON.stringify(record)).join("\n");
const timeAt = (second: number) => new Date(Date.UTC(2026, 2, 1, 10, 0, second)).toISOString();

/** An event of Copilot. */
const event = (second: number, type: string, data: object, agentId?: string) => ({
  type,
  data,
  id: `e${second}`,
  timestamp: timeAt(second),
  parentId: null,
  ...(agentId !== undefined && { agentId }),
});

/** A session that opencode exports. */
function exported(id: string, second: number, parentID?: string) {
  const at = Date.parse(timeAt(second));
  const message = (nth: number, role: string) => ({
    info: { id: `msg_${id}_${nth}`, role, time: { created: at + nth, completed: at + nth } },
    parts: [{ type: "text", text: `${role} of ${id}` }],
  });
  const messages = [message(1, "user"), message(2, "assistant")];
  const info = { id, parentID, time: { created: at, updated: at } };
  return file(`${id}.json`, JSON.stringify({ info, messages }));
}

/** A chat of Gemini CLI. */
function chat(sessionId: string, second: number, kind: "main" | "subagent", folder: string) {
  const said = (nth: number, type: string) => ({
    id: `${sessionId}-${nth}`,
    timestamp: timeAt(second + nth),
    type,
    content: `${type} of ${sessionId}`,
  });
  const about = { sessionId, projectHash: "p", startTime: timeAt(second), kind };
  const path = `chats/${folder}session-${sessionId}.json`;
  return file(path, JSON.stringify({ ...about, messages: [said(1, "user"), said(2, "gemini")] }));
}

/** A trajectory, with those that it embeds. */
function trajectory(id: string, second: number, ...embedded: readonly object[]): object {
  const step = (nth: number, source: string) => ({
    step_id: nth,
    timestamp: timeAt(second + nth),
    source,
    message: `${source} of ${id}`,
  });
  return {
    schema_version: "ATIF-v1.7",
    session_id: "s",
    trajectory_id: id,
    agent: { name: id, version: "1" },
    steps: [step(1, "user"), step(2, "agent")],
    ...(embedded.length > 0 && { subagent_trajectories: embedded }),
  };
}

/** The calls that asked are gone from the files, or never were there; who is above whom is told. */
const SAMPLES: Readonly<Record<string, readonly SourceFile[]>> = {
  opencode: [
    exported("ses_main", 0),
    exported("ses_child", 10, "ses_main"),
    exported("ses_deep", 20, "ses_child"),
  ],
  "gemini-cli": [
    chat("main", 0, "main", ""),
    chat("child", 10, "subagent", "main/"),
    chat("deep", 20, "subagent", "child/"),
  ],
  atif: [
    file(
      "trajectory.json",
      JSON.stringify(trajectory("main", 0, trajectory("child", 10, trajectory("deep", 20)))),
    ),
  ],
};

describe.each(Object.entries(SAMPLES))("%s", (format, files) => {
  test("agents that no call asked for are below those that they name", async () => {
    const { spawns, roots, depth, children } = await agentTreeOf(
      IMPORT_FORMATS[format] as ImportFormat,
      files,
    );
    expect([spawns.length, roots.length, depth, children]).toEqual([2, 1, 2, 0.67]);
    expect(spawns.join()).not.toMatch(/ by |\?/);
  });
});

test("agents of Copilot whose calls no answer asked for are below those that ran the calls, and name them", async () => {
  const files = [
    file(
      "events.jsonl",
      lines(
        event(0, "session.start", { sessionId: "s" }),
        event(1, "user.message", { content: "Go." }),
        event(2, "tool.execution_start", { toolCallId: "t1", toolName: "task", arguments: {} }),
        event(3, "subagent.started", { toolCallId: "t1", agentName: "child" }, "a1"),
        event(4, "tool.execution_start", { toolCallId: "t2", toolName: "task" }, "a1"),
        event(5, "subagent.started", { toolCallId: "t2", agentName: "deep" }, "a2"),
        event(6, "assistant.message", { messageId: "m1", content: "Deep." }, "a2"),
        event(7, "tool.execution_complete", { toolCallId: "t2", success: true }, "a1"),
        event(8, "assistant.message", { messageId: "m2", content: "Child." }, "a1"),
        event(9, "tool.execution_complete", { toolCallId: "t1", success: true }),
        event(10, "assistant.message", { messageId: "m3", content: "Done." }),
      ),
    ),
  ];
  const { spawns, roots, depth, children } = await agentTreeOf(
    IMPORT_FORMATS["copilot-cli"] as ImportFormat,
    files,
  );
  expect([roots.length, depth, children]).toEqual([1, 2, 0.67]);
  expect(spawns).toEqual(["child < GitHub Copilot by t1", "deep < child by t2"]);
});

test("a conversation of OpenHands in the directory of another is below that, whatever its first words", async () => {
  const files = Object.entries(handedOn()).map(([path, text]) =>
    file(
      path,
      path.includes("/subagents/") ? text : text.replaceAll(/"prompt":"[^"]*"/g, '"x":""'),
    ),
  );
  const { roots, depth, spawns } = await agentTreeOf(
    IMPORT_FORMATS["openhands"] as ImportFormat,
    files,
  );
  expect([roots.length, depth, spawns.length]).toEqual([1, 1, 3]);
});
