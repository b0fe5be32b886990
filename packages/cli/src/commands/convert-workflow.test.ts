import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { workflowRenderers } from "@thoughtflow/render";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith, seedText } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const TWO_SUB_AGENTS = "claude-code-viewer/5c0375b4-57a5-4f26-b12d-d022ee4e51b7.jsonl";

/** A directory with `agents.json`, the workflow document of a real session. */
async function directoryWithWorkflow(fixture = TWO_SUB_AGENTS): Promise<string> {
  const cwd = directoryWith({ "seed.json": seedText });
  const input = fileURLToPath(new URL(`../../fixtures/${fixture}`, import.meta.url));
  const argv = ["workflow", input, "-o", "agents.json"];
  expect(await thoughtflow(argv, capturedIo(cwd))).toBe(0);
  return cwd;
}

test("a workflow document becomes each of its formats, and what graphs and tables leave out is told", async () => {
  const cwd = await directoryWithWorkflow();
  const workflow = JSON.parse(readFileSync(join(cwd, "agents.json"), "utf8"));
  for (const [to, renderer] of Object.entries(workflowRenderers)) {
    const io = capturedIo(cwd);
    expect(await thoughtflow(["convert", "agents.json", "--to", to], io)).toBe(0);
    expect(io.stdout()).toBe(renderer.render(workflow));
    const isPicture = ["d2", "svg", "gantt", "mermaid"].includes(to);
    expect(io.stderr()).toBe(
      isPicture
        ? ""
        : "Left out: 53 messages, 2 tasks, 20 tool uses, 21 edges of tools' results. Of a request its first words are there.\n",
    );
  }
});

test("Perfetto says how many requests it leaves out because nobody knows when they were", async () => {
  const cwd = await directoryWithWorkflow();
  const workflow = JSON.parse(readFileSync(join(cwd, "agents.json"), "utf8"));
  for (const node of workflow.workflow_dag.request_nodes.slice(0, 2)) delete node.timestamp;
  const files = directoryWith({ "agents.json": JSON.stringify(workflow) });
  const io = capturedIo(files);
  expect(await thoughtflow(["convert", "agents.json", "--to", "perfetto"], io)).toBe(0);
  expect(io.stderr()).toContain(", 2 requests of no known time.");
});

test("what is only likely is in a workflow's graph with --inferred", async () => {
  const cwd = await directoryWithWorkflow("openai-log-scripted");
  const graph = async (...more: readonly string[]) => {
    const io = capturedIo(cwd);
    await thoughtflow(["convert", "agents.json", "--to", "mermaid", ...more], io);
    return io.stdout();
  };
  expect(await graph()).toMatch(/\|"spawn 0.\d+"\|.*\|"handoff 0.\d+"\|/s);
  expect(await graph()).not.toContain("request sequence");
  expect(await graph("--inferred")).toContain("request sequence");
});

test("-o, --out and stdin do what they do with sessions", async () => {
  const cwd = await directoryWithWorkflow();
  const text = readFileSync(join(cwd, "agents.json"), "utf8");
  const run = (word: string, ...more: readonly string[]) =>
    thoughtflow(["convert", word, "--to", "d2", ...more], capturedIo(cwd, { stdin: text }));
  expect(await run("agents.json", "-o", "one.d2")).toBe(0);
  expect(await run("agents.json", "--out", "out")).toBe(0);
  expect(await run("-", "-o", "two.d2")).toBe(0);
  expect(readdirSync(join(cwd, "out"))).toEqual(["agents.d2"]);
  const [one, two, three] = ["one.d2", "two.d2", "out/agents.d2"].map((name) =>
    readFileSync(join(cwd, name), "utf8"),
  );
  expect([one, three]).toEqual([two, two]);
});

test.each([
  [["agents.json", "--to", "otlp"], 3, "convert makes otlp of sessions; of a workflow one of: d2,"],
  [["agents.json", "--to", "d2", "--run", "r"], 3, "convert --run takes a session"],
  [["broken.json", "--to", "d2"], 1, "broken.json: workflow_dag.nodes[0].agent_id is wrong: "],
  [["cut.json", "--to", "d2"], 1, "cut.json:1:"],
])("convert %j ends with what is wrong", async (argv, code, message) => {
  const cwd = await directoryWithWorkflow();
  const text = readFileSync(join(cwd, "agents.json"), "utf8");
  const broken = JSON.parse(text);
  broken.workflow_dag.nodes[0].agent_id = 7;
  const files = directoryWith({
    "agents.json": text,
    "broken.json": JSON.stringify(broken),
    "cut.json": JSON.stringify(broken).slice(0, -20),
  });
  const io = capturedIo(files);
  expect(await thoughtflow(["convert", ...argv], io)).toBe(code);
  expect(io.stderr()).toContain(message);
  expect(io.stdout()).toBe("");
});
