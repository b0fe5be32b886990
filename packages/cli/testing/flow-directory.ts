import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The sample of seed 000, as it stands in the schema's fixtures. */
export const seedText = readFileSync(
  new URL("../../schema/fixtures/v0-seed-000.json", import.meta.url),
  "utf8",
);

/** A temporary directory with these files, gone when the test is over. */
export function directoryWith(files: Readonly<Record<string, string>> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), "thoughtflow-cli-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
