import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandError } from "./command-error.ts";
import { findPackage, type InstalledPackage } from "./installed-package.ts";

const APP = fileURLToPath(new URL("../demo/app.mjs", import.meta.url));

/** How the demo's app is started. */
export interface DemoProgram {
  readonly command: readonly string[];
  /** The program's text, where it can't run as a file. */
  readonly input?: string;
}

/**
 * The demo's app as a file where openai can be found from there; else read from stdin, for which Node looks in
 * the directory of the user. Ends the command when there is no openai, or none for this Node.
 *
 * @param app The app's path.
 */
export function demoProgram(cwd: string, app: string = APP): DemoProgram {
  const beside = findPackage("openai", dirname(app));
  const openai = beside ?? findPackage("openai", cwd);
  if (openai === undefined) {
    throw new CommandError(
      "The demo runs an app with the openai package, and there is none here.\n" +
        "Install it, then try again: npm install openai",
    );
  }
  requireNode(openai);
  if (beside !== undefined) return { command: [process.execPath, app] };
  return {
    command: [process.execPath, "--input-type=module", "-"],
    input: readFileSync(app, "utf8"),
  };
}

function requireNode({ version, nodeMajor = 0 }: InstalledPackage): void {
  if (Number.parseInt(process.versions.node, 10) >= nodeMajor) return;
  throw new CommandError(
    `openai ${version} needs Node ${nodeMajor} or newer, and this is Node ${process.versions.node}.\n` +
      "ThoughtFlow itself runs here: install openai 6, or take a newer Node.",
  );
}
