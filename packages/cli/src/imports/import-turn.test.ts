import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type FileSystem, realFileSystem } from "@thoughtflow/journal";
import { expect, test } from "vitest";
import { directoryWith } from "../../testing/flow-directory.ts";
import { importTurn } from "./import-turn.ts";

const MODULE = fileURLToPath(new URL("./import-turn.ts", import.meta.url));

/** Has its turn, and then no moment for anything else until a file is there. */
const BUSY = `
  import { existsSync } from "node:fs";
  import { importTurn } from ${JSON.stringify(MODULE)};
  const [dir, done] = process.argv.slice(1);
  const turn = await importTurn(dir, { cwd: dir, say: () => {} });
  process.stdout.write("begun");
  await new Promise((resolve) => setTimeout(resolve, 50));
  const end = Date.now() + 60_000;
  while (!existsSync(done) && Date.now() < end);
  process.stdout.write("ended");
  turn.end();
`;

test("an import that is too busy to give a sign of life keeps its turn, and one that waits comes after it", async () => {
  const cwd = directoryWith({ "in.txt": "" });
  const dir = join(cwd, "flows");
  const done = join(cwd, "done");
  const argv = ["--conditions=@thoughtflow/source", "--input-type=module", "-e", BUSY, dir, done];
  const busy = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(busy, "exit");
  let told = "";
  busy.stdout.on("data", (chunk) => {
    told += chunk;
  });
  await once(busy.stdout, "data");
  // Long after its last sign.
  const then = Date.now() / 1_000 - 3_600;
  await new Promise((resolve) => setTimeout(resolve, 100));
  utimesSync(join(dir, ".journal", "imports.lease"), then, then);
  const said: string[] = [];
  const waiting = importTurn(dir, {
    cwd,
    say(line) {
      said.push(line);
      writeFileSync(done, "");
    },
  });
  const turn = await waiting;
  expect(told).toBe("begunended");
  expect(said).toEqual(["Another import writes into flows: this one waits for its end."]);
  turn.end();
  expect(await ended).toEqual([0, null]);
});

/** The directory is gone so often before anything stands in it. */
function removing(times: number): FileSystem {
  let left = times;
  return {
    ...realFileSystem,
    openSync(path, ...rest) {
      if (String(path).endsWith(".gitignore") && left-- > 0) rmdirSync(dirname(String(path)));
      return realFileSystem.openSync(path, ...rest);
    },
  };
}

test("an import whose directory another one removes while it is made makes it again", async () => {
  const cwd = directoryWith({ "in.txt": "" });
  const dir = join(cwd, "flows");
  const turn = await importTurn(dir, { cwd, say: expect.unreachable }, removing(3));
  expect(turn.isFirst).toBe(true);
  expect(existsSync(join(dir, ".journal", "imports.lease"))).toBe(true);
  turn.end();
  expect(existsSync(dir)).toBe(false);
});

test("where no directory stays, an import says so", async () => {
  const cwd = directoryWith({ "in.txt": "" });
  const turn = importTurn(join(cwd, "flows"), { cwd, say: () => {} }, removing(Infinity));
  await expect(turn).rejects.toThrow("ENOENT");
});
