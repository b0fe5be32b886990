import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

const manifest = `{
    "name": "app",
    "scripts": { "start": "NODE_ENV=prod node server.js --title \\"a node b\\"" },
    "dependencies": { "@thoughtflow/node": "^0.1.0" }
}
`;

test("--yes edits the start script and .gitignore, once, and nothing else in them", async () => {
  const cwd = directoryWith({ "package.json": manifest, ".gitignore": "dist" });
  expect(await thoughtflow(["init", "--yes"], capturedIo(cwd))).toBe(0);
  const written = () => [
    readFileSync(join(cwd, "package.json"), "utf8"),
    readFileSync(join(cwd, ".gitignore"), "utf8"),
  ];
  expect(written()).toEqual([
    manifest.replace("node server", "node --import @thoughtflow/node/register server"),
    "dist\nthoughtflow/\n",
  ]);
  const first = written();
  expect(await thoughtflow(["init", "--yes"], capturedIo(cwd))).toBe(0);
  expect(written()).toEqual(first);
});

test("without a terminal it says what it would do, and does nothing", async () => {
  const cwd = directoryWith({ "package.json": manifest });
  const io = capturedIo(cwd);
  expect(await thoughtflow(["init"], io)).toBe(0);
  expect(io.stderr()).toBe(`.gitignore: add the line thoughtflow/
package.json: start: NODE_ENV=prod node --import @thoughtflow/node/register server.js --title "a node b"
Nothing was changed. To make these changes: thoughtflow init --yes
Where another script starts your app, give its node this: --import @thoughtflow/node/register
If a file watcher restarts your app, let it ignore thoughtflow/, for example: nodemon --ignore thoughtflow/
`);
  expect(readFileSync(join(cwd, "package.json"), "utf8")).toBe(manifest);
  expect(existsSync(join(cwd, ".gitignore"))).toBe(false);
});

test("at a terminal it asks, and no is exit code 2", async () => {
  const cwd = directoryWith({ "package.json": '{"scripts":{"start":"next start"}}' });
  expect(await thoughtflow(["init"], capturedIo(cwd, { interactive: true, answer: "" }))).toBe(2);
  expect(existsSync(join(cwd, ".gitignore"))).toBe(false);
  expect(await thoughtflow(["init"], capturedIo(cwd, { interactive: true, answer: "y" }))).toBe(0);
  expect(readFileSync(join(cwd, ".gitignore"), "utf8")).toBe("thoughtflow/\n");
});

test("where there is no package.json, or a broken one, it says so", async () => {
  const io = capturedIo(directoryWith());
  expect(await thoughtflow(["init"], io)).toBe(1);
  expect(io.stderr()).toContain("There is no package.json in ");
  const broken = capturedIo(directoryWith({ "package.json": '{"scripts": {"start": "node x",}}' }));
  expect(await thoughtflow(["init", "--yes"], broken)).toBe(1);
  expect(broken.stderr()).toContain("package.json is no JSON: ");
});
