import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Session } from "@thoughtflow/schema";
import { createReplayServer } from "@thoughtflow/testkit";
import { expect, onTestFinished, test } from "vitest";
import { diagramToDraw, drawnDiagram } from "./docs/picture.ts";
import { completion, toolLoop } from "./setups/completion.ts";
import { sessionsIn } from "./setups/run-app.ts";

const EXAMPLES = join(import.meta.dirname, "../examples");
const PASSPHRASE = "correct horse battery";
const GUIDANCE = "Give temperatures in °C alone.";

/** The lines of the closed loop in the examples' README, without what stands behind them. */
const LINES = (
  /## `closed-loop`[\s\S]*?```sh\n([\s\S]*?)```/.exec(
    readFileSync(join(EXAMPLES, "README.md"), "utf8"),
  )?.[1] ?? ""
)
  .trim()
  .split("\n")
  .map((line) => line.replace(/ +# .*/, ""));

/** A person at a terminal of their own, who types the passphrase whenever it is asked for. */
function typed(line: string, env: Readonly<Record<string, string>>): Promise<string> {
  const script = spawn("script", ["-qec", line, "/dev/null"], { cwd: EXAMPLES, env });
  let shown = "";
  script.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    if (/(passphrase|once more)[^\n]*: $/i.test(shown)) script.stdin.write(`${PASSPHRASE}\r`);
  });
  return new Promise((resolve, reject) => {
    script.on("error", reject);
    script.on("close", (code) =>
      code === 0 ? resolve(shown) : reject(new Error(`${line} ended with ${code}:\n${shown}`)),
    );
  });
}

/** Types the lines of the README one after the other, and gives what each showed. */
async function loop(home: string, more: Readonly<Record<string, string>>): Promise<string[]> {
  const env = {
    PATH: `${dirname(process.execPath)}:${process.env["PATH"]}`,
    HOME: home,
    THOUGHTFLOW_DIR: join(home, "flow"),
    NO_COLOR: "1",
    ...more,
  };
  const variables: string[] = [];
  const shown: string[] = [];
  for (const line of LINES) {
    if (/^(export )?\w+=/.test(line)) variables.push(line);
    else shown.push(await typed([...variables, line].join("\n"), env));
  }
  return shown;
}

function directory(): string {
  const home = mkdtempSync(join(tmpdir(), "thoughtflow-loop-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}

/** The prompts that adn.units is a part of. */
function guidedPrompts(sessions: readonly Session[]): unknown[] {
  return sessions
    .flatMap(({ conversations }) => conversations.flatMap(({ steps }) => steps))
    .map((step) => step.payload_started?.["prompt_provenance"])
    .filter((prompt) => JSON.stringify(prompt)?.includes('"adn.units"'));
}

test("an agent reads its flow and proposes, a person approves at a terminal, the next prompt names the change, the proof compares", async () => {
  const home = directory();
  const [key, before, reflected, approved, after, prompt, proof, ...others] = await loop(home, {});
  expect(others).toEqual([]);
  expect(key).toContain("PUBLIC KEY");
  expect(before).toContain("275.15 K");
  expect(reflected).toContain("I have proposed it: p1.");
  expect(approved).toContain(`+ content: ${GUIDANCE}`);
  expect(after).toBe("It is 2 °C in Canberra.\r\n");
  expect(prompt).toMatch(/prompt_adaptations +\[41–71\] {2}Give temp.* adn\.units/);
  expect(proof).toMatch(
    /adn\.units: runs that differ in nothing else.*[\s\S]*output tokens .*-\d+%/,
  );
  expect(guidedPrompts(await sessionsIn(join(home, "flow")))).toMatchObject([
    {
      parts: [
        { type: "personality" },
        { type: "prompt_adaptations", id: "adn.units", value: GUIDANCE },
        { type: "user_instruction" },
      ],
      assembly: [
        { part: 0 },
        { part: 1, start: 41, end: 71, start_byte: 41, end_byte: 72 },
        { part: 2 },
      ],
    },
  ]);
});

test("the pictures of the safety page are those of the loop", async () => {
  const home = directory();
  await loop(home, {});
  const diagrams = readdirSync(join(home, "flow"))
    .filter((name) => name.endsWith(".d2"))
    .map((name) => withoutTokens(diagramToDraw(readFileSync(join(home, "flow", name), "utf8"))));
  for (const name of ["adaptation-proposed", "adaptation-in-force"]) {
    const drawn = drawnDiagram(join(EXAMPLES, "../docs/pictures", `${name}.svg`));
    expect(diagrams).toContain(withoutTokens(drawn));
  }
});

/** The agent reads its own last flow, whose times are longer or shorter words. */
function withoutTokens(diagram: string): string {
  return diagram.replaceAll(/[\d,]+ → [\d,]+ tokens/g, "tokens");
}

test("the loop closes with a model on a server, too, which sees the guidance only once it is approved", async () => {
  const change = JSON.stringify({ id: "adn.units", content: GUIDANCE, enabled: true });
  await using server = await createReplayServer([
    completion({ content: "2 °C, which is 35.6 °F." }),
    ...toolLoop("call_proposal", "update_adaptation", "I have proposed it.", change),
    completion({ content: "2 °C." }),
  ]);
  const OPENAI_BASE_URL = `${server.url}/v1`;
  const shown = await loop(directory(), { OPENAI_BASE_URL, OPENAI_API_KEY: "none" });
  expect(shown[4]).toBe("2 °C.\r\n");
  const [first, flow, output, last, ...others] = server.requests.map(({ body }) =>
    JSON.stringify((body as { readonly messages: unknown }).messages),
  );
  expect(others).toEqual([]);
  expect(first).not.toContain(GUIDANCE);
  expect(flow).toContain("35.6 °F");
  expect(output).toContain('\\"status\\":\\"proposed\\"');
  expect(last).toContain(GUIDANCE);
});
