import { readFileSync } from "node:fs";
import { join } from "node:path";
import { adaptationFiles, openAdaptations, propose } from "@thoughtflow/adaptations";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const catalogue = {
  items: [
    { id: "adn.units", title: "Units", content: "Say the unit.", enabled: true },
    {
      id: "adn.chat",
      title: "Chat",
      content: "Be short.",
      scope: { channel: "chat" },
      enabled: true,
    },
  ],
};
const PAGE = new URL("../../../../docs/adaptations.md", import.meta.url);
const SECRET = "correct horse battery";

/** A directory with a catalogue, and the command as a person with the passphrase runs it there. */
function prepared() {
  const cwd = directoryWith({
    "thoughtflow/adaptations/catalogue.json": JSON.stringify(catalogue),
  });
  const run = async (argv: string, given: Parameters<typeof capturedIo>[1] = {}) => {
    const io = capturedIo(cwd, {
      interactive: true,
      secret: SECRET,
      env: { HOME: join(cwd, "home") },
      ...given,
    });
    const exitCode = await thoughtflow(["adapt", ...argv.split(" ")], io);
    return { exitCode, stdout: io.stdout(), stderr: io.stderr() };
  };
  const files = adaptationFiles(join(cwd, "thoughtflow", "adaptations"));
  const approver = () =>
    readFileSync(join(cwd, "home/.config/thoughtflow/approver.pem.pub"), "utf8");
  const text = () =>
    openAdaptations({
      dir: files.dir,
      approver: approver(),
      watch: false,
      warn: () => {},
    }).preview().text;
  return { run, files, text };
}

test("a person signs the catalogue, sees a proposal beside what is, approves it and takes it back", async () => {
  const { run, files, text } = prepared();
  expect(await run("key")).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining("PUBLIC KEY"),
  });
  expect(text()).toBe("");
  expect(await run("approve catalogue")).toMatchObject({ exitCode: 0 });
  expect(text()).toBe("Say the unit.\nBe short.");

  const proposal = propose(
    files,
    undefined,
    "adn.units",
    { content: "Celsius." },
    { reason: "asked twice" },
  );
  const { stdout, stderr } = await run("list");
  expect(stdout).toContain("Units: Say the unit.");
  expect(stderr).toBe(
    `${proposal} of adn.units (asked twice)\n  - content: Say the unit.\n  + content: Celsius.\nTo decide: thoughtflow adapt approve|reject ${proposal}\n`,
  );
  expect(await run(`approve ${proposal}`)).toMatchObject({ exitCode: 0 });
  expect(text()).toBe("Celsius.\nBe short.");
  expect((await run("preview --channel voice")).stdout).toBe("Celsius.\n");
  expect(await run("rollback adn.units")).toMatchObject({ exitCode: 0 });
  expect(await run("disable adn.chat --reason quiet")).toMatchObject({ exitCode: 0 });
  expect(text()).toBe("Say the unit.");
  expect(await run("verify")).toEqual({
    exitCode: 0,
    stdout: "The log is sound: 5 lines, 4 of them signed.\n",
    stderr: "",
  });
  const log = JSON.parse((await run("log --format json")).stdout);
  expect(log.map(({ kind, id }: { kind: string; id?: string }) => [kind, id])).toEqual([
    ["catalogue", undefined],
    ["proposed", "adn.units"],
    ["approved", "adn.units"],
    ["rolled_back", "adn.units"],
    ["edited", "adn.chat"],
  ]);
});

test("what is in force of a catalogue that a program has is listed, and nothing is said to be nothing", async () => {
  const cwd = directoryWith();
  const run = async (argv: string) => {
    const given = { interactive: true, secret: SECRET, env: { HOME: join(cwd, "home") } };
    const io = capturedIo(cwd, given);
    await thoughtflow(["adapt", ...argv.split(" ")], io);
    return { stdout: io.stdout(), stderr: io.stderr() };
  };
  const dir = join(cwd, "thoughtflow", "adaptations");
  expect(await run("list")).toEqual({
    stdout: "",
    stderr: `There are no adaptations in ${dir}.\n`,
  });
  await run("key");
  await run("edit adn.units --content Celsius.");
  expect(await run("list")).toEqual({
    stdout: expect.stringMatching(/^ID .*\nadn\.units +in the program +edited +Celsius\.\n$/),
    stderr: "",
  });
});

test("without the passphrase, a terminal or the key nothing changes", async () => {
  const { run, files, text } = prepared();
  await run("key");
  await run("approve catalogue");
  const proposal = propose(files, undefined, "adn.units", { content: "Obey me." });
  for (const given of [{ secret: "wrong" }, { secret: "" }, { interactive: false }, { env: {} }]) {
    for (const verb of [
      `approve ${proposal}`,
      "enable adn.units",
      "policy auto adn.units",
      `reject ${proposal}`,
    ]) {
      expect(await run(verb, given)).toMatchObject({ exitCode: 4 });
    }
  }
  expect(await run("key", { secret: "a new passphrase" })).toMatchObject({ exitCode: 1 });
  expect(text()).toBe("Say the unit.\nBe short.");
});

test.each([
  ["aprove p1", 3, "adapt knows no aprove. Did you mean approve?\n"],
  [
    "get nobody",
    1,
    "There is no adaptation nobody in the catalogue file; a program may have it in its own catalogue.\n",
  ],
  ["edit adn.units", 3, "edit needs --title or --content.\n"],
  [
    "approve p9",
    1,
    "Nothing was changed: there is no proposal p9. Nothing waits for a decision.\n",
  ],
  ["reject p9", 1, "Nothing was changed: there is no proposal p9. Nothing waits for a decision.\n"],
  ["approve", 3, "This needs the name of a proposal: thoughtflow adapt approve p1."],
  ["rollback adn.units", 1, "adn.units was never changed: there is nothing to take back.\n"],
  ["edit adn.units --content \u200b", 1, "content holds U+200B, which nobody sees.\n"],
  ["edit nobody --content x", 1, "There is no adaptation nobody in the catalogue.\n"],
  ["proof adn.units", 1, "that differ in adn.units and in nothing else that lasts.\n"],
])("adapt %s says what is wrong", async (argv, exitCode, message) => {
  const { run } = prepared();
  await run("key");
  // Nobody is asked for a passphrase first: a wrong one would be the error.
  expect(await run(argv, { secret: "wrong" })).toMatchObject({
    exitCode,
    stderr: expect.stringContaining(message),
  });
});

test("a preview without a catalogue file says where there may be one", async () => {
  const io = capturedIo(directoryWith({}));
  expect(await thoughtflow(["adapt", "preview"], io)).toBe(0);
  expect(io.stderr()).toMatch(
    /^There is no catalogue in .*adaptations; a program may have its own\.\n$/,
  );
});

/** A session of one run with this text of adn.units in its prompt. */
function guidedBy(version: string, day: number): string {
  const parts = [{ type: "prompt_adaptations", value: version, id: "adn.units", version }];
  const call = {
    step_id: "m",
    label: "assistant_call",
    payload_started: { prompt_provenance: { parts } },
  };
  const run = { conversation_id: "r", started_at: `2026-01-0${day}T00:00:00.000Z`, steps: [call] };
  return JSON.stringify({ session_id: `s${day}`, conversations: [run] });
}

test("the lines of the page on adaptations do what stands behind them", async () => {
  const items = ["adn.units", "adn.tone"].map((id) => ({ id, title: id, content: "As it was." }));
  const cwd = directoryWith({
    "thoughtflow/adaptations/catalogue.json": JSON.stringify({ items }),
    "thoughtflow/s1.json": guidedBy("1", 1),
    "thoughtflow/s2.json": guidedBy("2", 2),
  });
  const files = adaptationFiles(join(cwd, "thoughtflow", "adaptations"));
  const [, fence = ""] = /```sh\n([\s\S]*?)```/.exec(readFileSync(PAGE, "utf8")) ?? [];
  const printed: string[] = [];
  for (const line of fence.trim().split("\n")) {
    const [command = ""] = line.split(" #");
    const [, ...argv] = command.trim().split(/\s+/);
    const io = capturedIo(cwd, { interactive: true, secret: SECRET, env: { HOME: cwd } });
    const exitCode = await thoughtflow(argv, io);
    expect({ line, exitCode, stderr: io.stderr() }).toMatchObject({ exitCode: 0 });
    printed.push(io.stdout() + io.stderr());
    if (argv.join(" ") !== "adapt approve catalogue") continue;
    for (let n = 1; n <= 6; n += 1) propose(files, undefined, "adn.units", { content: `To ${n}.` });
  }
  expect(printed).toEqual(
    [
      /PUBLIC KEY/,
      /catalogue/,
      /As it was\.[\s\S]*p7 of adn\.units/,
      /\+ content: To 6\./,
      /adn\.units/,
      /adn\.tone/,
      /^The log is sound: /,
      /adn\.units: runs that differ in nothing else/,
    ].map((text) => expect.stringMatching(text)),
  );
});

test("what a model writes into its proposal neither acts on the terminal of who decides nor hides a line", async () => {
  const { run, files } = prepared();
  await run("key");
  const name = propose(
    files,
    undefined,
    "adn.units",
    { content: "Obey me." },
    { reason: "fine\u001b[2K\u001b[1A\u001b[8m\r\nreally" },
  );
  const shown = `${name} of adn.units (fine really)\n  - content: Say the unit.\n  + content: Obey me.\n`;
  expect((await run("list")).stderr).toContain(shown);
  expect((await run(`approve ${name}`)).stderr).toContain(shown);
  expect(await run("approve p9")).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("there is no proposal p9"),
  });
});
