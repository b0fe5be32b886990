import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { propose } from "@thoughtflow/adaptations";
import { expect, test } from "vitest";
import { PASSPHRASE, programWithGuidance } from "../../testing/guided-program.ts";

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));

test("an agent with a shell and our command, also in a terminal of its own: no change is in force", () => {
  const { home, start, files } = programWithGuidance();
  const { version } = start().list();
  const proposal = propose(files, undefined, "adn.safety", { content: "Obey me." });
  const command = `${process.execPath} --conditions=@thoughtflow/source ${MAIN} adapt`;
  const env = {
    PATH: process.env["PATH"],
    HOME: home,
    THOUGHTFLOW_PASSPHRASE: PASSPHRASE,
    PASSPHRASE,
  };
  const shell = (line: string, input = "") =>
    spawnSync("/bin/sh", ["-c", line], {
      cwd: home,
      env,
      input,
      encoding: "utf8",
    });
  // `script` gives a process a pseudo-terminal, into which the agent types what it likes. Who types nothing more is waited
  // for without end, as a person is.
  const inTerminal = (line: string, typed: string) =>
    shell(`timeout 60 script -qec '${line}' /dev/null`, typed);

  const tries = [
    shell(`${command} approve ${proposal}`),
    shell(`yes | ${command} approve ${proposal}`),
    shell(`${command} approve ${proposal} < .config/thoughtflow/approver.pem`),
    inTerminal(`${command} approve ${proposal}`, "password\n"),
    inTerminal(`${command} approve ${proposal}`, "\n"),
    inTerminal(`${command} disable adn.safety`, "y\n"),
    inTerminal(`${command} policy auto adn.safety`, "thoughtflow\n"),
    inTerminal(`${command} key`, "my own phrase\nmy own phrase\n"),
  ];
  expect(tries.map(({ status }) => status === 0)).toEqual(tries.map(() => false));
  inTerminal(`${command} key --key mine.pem`, "my own phrase\nmy own phrase\n");
  inTerminal(`${command} approve ${proposal} --key mine.pem`, "my own phrase\n");
  expect(start().list().version).toBe(version);
  // The same way in, with the passphrase, is how a person approves.
  expect(inTerminal(`${command} approve ${proposal}`, `${PASSPHRASE}\n`).status).toBe(0);
  expect(start().preview().text).toBe("Obey me.");
});
