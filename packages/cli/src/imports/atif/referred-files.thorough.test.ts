import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { expect, test } from "vitest";
import { directoryWith } from "../../../testing/flow-directory.ts";
import { recordsOf, recordsOfText } from "../../../testing/imported-records.ts";
import { sourceFile } from "../source-file.ts";
import { atif } from "./atif.ts";
import { pathsReferredBy } from "./referred-files.ts";

interface Asked {
  readonly calls: readonly string[];
  readonly refs: readonly (readonly [call: string, ref: object])[];
  readonly inner: readonly object[];
}

function trajectory(id: string, prompt: string, asked: Partial<Asked> = {}) {
  const { calls = [], refs = [], inner = [] } = asked;
  const [user, agent] = ["2026-06-01T09:00:00Z", "2026-06-01T09:00:05Z"];
  return {
    schema_version: "ATIF-v1.8",
    ...(prompt === "main" ? { session_id: id } : { trajectory_id: id }),
    agent: { name: id, version: "1" },
    steps: [
      { step_id: 1, timestamp: user, source: "user", message: prompt },
      {
        step_id: 2,
        timestamp: agent,
        source: "agent",
        message: "done",
        tool_calls: calls.map((call) => ({
          tool_call_id: call,
          function_name: "delegate",
          arguments: { task: "Count the files" },
        })),
        observation: {
          results: refs.map(([call, ref]) => ({
            source_call_id: call,
            subagent_trajectory_ref: [ref],
          })),
        },
        metrics: { prompt_tokens: 10, completion_tokens: 1 },
      },
    ],
    ...(inner.length > 0 && { subagent_trajectories: inner }),
  };
}

async function agentsOf(files: Readonly<Record<string, object>>, names = Object.keys(files)) {
  const texts = Object.entries(files).map(([name, value]) => [name, JSON.stringify(value)]);
  const directory = directoryWith(Object.fromEntries(texts));
  const sources = names.map((name) => sourceFile(join(directory, name), name));
  const [first = ""] = names;
  const { records, warnings } = await recordsOf(atif, sources);
  const sessions = assemble(records).map(({ session_id, agents = [] }) => [
    session_id,
    agents.map(({ name, parent_agent_id: parent }) => [
      name,
      agents.find(({ agent_id }) => agent_id === parent)?.name,
    ]),
  ]);
  return { sessions, warnings, besides: await atif.besides?.(join(directory, first)), directory };
}

test("trajectories in files of their own are those of the sub-agents that refer to them, and no sessions", async () => {
  const files = {
    "main.json": trajectory("main", "main", {
      calls: ["c1"],
      refs: [["c1", { session_id: "x", trajectory_path: "agents/a-mid.json" }]],
    }),
    "agents/a-mid.json": trajectory("mid", "Look", {
      calls: ["c2"],
      refs: [
        ["c2", { trajectory_id: "leaf", trajectory_path: "leaf.json" }],
        ["c2", { trajectory_path: "../main.json" }],
      ],
    }),
    "agents/leaf.json": trajectory("leaf", "Look deeper"),
  };
  const { sessions, besides, directory } = await agentsOf(files);
  expect(sessions).toEqual([
    [
      "main",
      [
        ["main", undefined],
        ["mid", "main"],
        ["leaf", "mid"],
      ],
    ],
  ]);
  expect(besides).toEqual([
    join(directory, "agents/a-mid.json"),
    join(directory, "agents/leaf.json"),
  ]);
});

test("a file that is referred to may refer to any file below the directory of the given one, and to none outside of it", async () => {
  const asked = (call: string, ...paths: readonly string[]) => ({
    calls: [call],
    refs: paths.map((trajectory_path) => [call, { trajectory_path }] as const),
  });
  const files = {
    "in/main.json": trajectory("main", "main", asked("c1", "agents/mid.json")),
    "in/agents/mid.json": trajectory(
      "mid",
      "Look",
      asked("c2", "../shared/leaf.json", "../../outside.json"),
    ),
    "in/shared/leaf.json": trajectory("leaf", "Look deeper", asked("c3", "deep/last.json")),
    "in/shared/deep/last.json": trajectory("last", "Look here"),
    "outside.json": trajectory("outside", "other"),
  };
  const { besides, directory } = await agentsOf(files);
  const inside = ["agents/mid.json", "shared/leaf.json", "shared/deep/last.json"];
  expect(besides).toEqual(inside.map((name) => join(directory, "in", name)));
  const { sessions } = await agentsOf(
    files,
    Object.keys(files).filter((name) => name.startsWith("in")),
  );
  expect(sessions).toEqual([
    [
      "main",
      [
        ["main", undefined],
        ["mid", "main"],
        ["leaf", "mid"],
        ["last", "leaf"],
      ],
    ],
  ]);
});

test("files elsewhere, and files that are not there, are not read", async () => {
  const refs = ["../../outside.json", "gone.json"].map(
    (trajectory_path) => ["c1", { trajectory_path }] as const,
  );
  const main = trajectory("main", "main", { calls: ["c1"], refs });
  const { sessions, besides } = await agentsOf({ "in/main.json": main });
  expect([sessions, besides]).toEqual([[["main", [["main", undefined]]]], []]);
});

test.skipIf(process.platform === "win32")(
  "directories, pipes, devices and links to files elsewhere are no trajectories",
  async () => {
    const names = [".", "agents", "pipe.json", "device.json", "link.json", "linked/secret.json"];
    const refs = names.map((trajectory_path) => ["c1", { trajectory_path }] as const);
    const directory = directoryWith({
      "in/main.json": JSON.stringify(trajectory("main", "main", { calls: ["c1"], refs })),
      "in/agents/other.json": JSON.stringify(trajectory("other", "other")),
      "elsewhere/secret.json": JSON.stringify(trajectory("secret", "secret")),
    });
    execFileSync("mkfifo", [join(directory, "in/pipe.json")]);
    symlinkSync("/dev/zero", join(directory, "in/device.json"));
    symlinkSync("../elsewhere/secret.json", join(directory, "in/link.json"));
    symlinkSync("../elsewhere", join(directory, "in/linked"));
    expect(await atif.besides?.(join(directory, "in/main.json"))).toEqual([]);
  },
);

test("files that refer to one another in a long row are each looked through once", async () => {
  const last = 40;
  const files = Object.fromEntries(
    Array.from({ length: last + 1 }, (_, at) => {
      const ref = { trajectory_path: `${at + 1}.json` };
      const asked = at < last ? { calls: ["c1"], refs: [["c1", ref] as const] } : {};
      return [`${at}.json`, JSON.stringify(trajectory(String(at), at === 0 ? "main" : "x", asked))];
    }),
  );
  const directory = directoryWith(files);
  let texts = 0;
  const sources = Object.keys(files).map((name) => {
    const file = sourceFile(join(directory, name), name);
    const text = () => {
      texts++;
      return file.text();
    };
    return { ...file, text };
  });
  expect((await pathsReferredBy(sources)).size).toBe(last);
  expect(texts).toBe(sources.length);
});

test.each([
  [
    "in files that refer to one another",
    (id: number) => ({ trajectory_path: `${id}.json` }),
    false,
  ],
  ["one in the other", (id: number) => ({ trajectory_id: `${id}` }), true],
] as const)(
  "a thousand sub-agents, each asked for by the one before, are all told: %s",
  async (_, refTo, isEmbedded) => {
    const count = 1_000;
    const files: Record<string, object> = {};
    let inner: readonly object[] = [];
    for (let id = count - 1; id >= 0; id--) {
      const refs = id + 1 < count ? [["c1", refTo(id + 1)] as const] : [];
      const one = trajectory(`${id}`, id === 0 ? "main" : "x", { calls: ["c1"], refs, inner });
      if (isEmbedded) inner = [one];
      if (!isEmbedded || id === 0) files[`${id}.json`] = one;
    }
    const { sessions } = await agentsOf(files);
    const [[, agents] = []] = sessions;
    expect(sessions).toHaveLength(1);
    expect(agents).toEqual(
      Array.from({ length: count }, (_, id) => [`${id}`, id === 0 ? undefined : `${id - 1}`]),
    );
  },
);

test("an embedded trajectory that nothing refers to is the sub-agent of the call in its document that told it what it begins with", async () => {
  const deepest = (id: string) => trajectory(id, "Count the files");
  const child = (id: string) =>
    trajectory(id, "Count the files", { calls: [`${id}1`], inner: [deepest(`${id}.1`)] });
  const main = trajectory("main", "main", {
    calls: ["c1", "c2"],
    refs: [["c2", { trajectory_id: "named" }]],
    inner: [child("unnamed"), child("named"), trajectory("stray", "What is this?")],
  });
  const { records, warnings } = await recordsOfText(atif, JSON.stringify(main));
  const [{ agents = [], totals } = {}] = assemble(records);
  expect(
    agents.map(({ name, origin, parent_agent_id: parent }) => [
      name,
      agents.find(({ agent_id }) => agent_id === parent)?.name,
      origin,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["named", "main", "observed"],
      ["unnamed", "main", "inferred"],
      ["named.1", "named", "inferred"],
      ["unnamed.1", "unnamed", "inferred"],
      ["stray", "main", "observed"],
    ]),
  );
  expect(totals?.model_calls).toBe(6);
  expect(warnings.join("\n")).not.toContain("stray");
});
