import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { expect, test } from "vitest";
import { journalOfDeadProcess } from "../../../journal/testing/journal-of-dead-process.ts";
import { killedRun, weatherRun } from "../../../store/testing/stories.ts";
import { capturedIo } from "../../testing/captured-io.ts";
import { directoryWith } from "../../testing/flow-directory.ts";
import { thoughtflow } from "../thoughtflow.ts";

/** A flow directory with journals and documents of the stories, and the document of a run without its journal. */
function flowDirectory(): string {
  const [moved] = assemble(weatherRun("4", "dan"));
  const cwd = directoryWith({
    "thoughtflow/session-4.json": moved === undefined ? "" : canonicalJson(moved),
    "thoughtflow/broken.json": '{"session_id": 7, "conversations": []}',
    "thoughtflow/notes.json": "[]",
  });
  const dir = join(cwd, "thoughtflow");
  const records = [...weatherRun("1", "ann"), ...killedRun("3", "bob")];
  journalOfDeadProcess(dir, records);
  for (const session of assemble(records))
    writeFileSync(join(dir, `${session.session_id}.json`), canonicalJson(session));
  return cwd;
}

async function told(cwd: string, ...argv: readonly string[]) {
  const io = capturedIo(cwd);
  const code = await thoughtflow(argv, io);
  return { code, out: io.stdout(), said: io.stderr() };
}

test("stats takes in the flow directory and answers in three forms", async () => {
  const cwd = flowDirectory();
  const pretty = await told(cwd, "stats", "--by", "user");
  expect(pretty.said).toMatch(/broken\.json.*session_id/);
  expect(pretty.out).toMatch(/^USER {2}CALLS .* COST +UNPRICED CALLS +P50 +P95\n/);
  expect(pretty.out).toMatch(/ann +2 +0 +0 % +0 .*\$0\.0001165 +0 +1\.0 s +2\.0 s/);
  const csv = await told(cwd, "stats", "--by", "user", "--format", "csv");
  expect(csv.out.split("\r\n").slice(0, 2)).toEqual([
    "user,calls,errors,error_rate,abandoned,prompt_tokens,cached_tokens,completion_tokens,reasoning_tokens,cost_usd,unpriced_calls,p50_ms,p95_ms",
    "ann,2,0,0,0,250,,27,,0.0001165,0,1000,2000",
  ]);
  const json = await told(cwd, "stats", "--runs", "failed", "--format", "json");
  expect(JSON.parse(json.out)).toMatchObject([{ run: "SM3", user: "bob", failed_in: "reply" }]);
});

test("what is new in the flow directory is in the next answer", async () => {
  const cwd = flowDirectory();
  const before = await told(cwd, "stats", "--format", "json");
  const [session] = assemble(weatherRun("5", "eve"));
  writeFileSync(join(cwd, "thoughtflow/session-5.json"), session ? canonicalJson(session) : "");
  const after = await told(cwd, "stats", "--format", "json");
  expect([before, after].map(({ out }) => JSON.parse(out)[0].sessions)).toEqual([3, 4]);
});

test("a store of its own takes in directories and files, and gives documents back", async () => {
  const cwd = flowDirectory();
  const store = ["--store", "team.db"];
  const loaded = await told(cwd, "store", "load", "thoughtflow/session-4.json", ...store);
  expect(loaded).toMatchObject({
    code: 0,
    said: "0 new records; wrote the tables of 1 session.\n",
  });
  rmSync(join(cwd, "thoughtflow/broken.json"));
  mkdirSync(join(cwd, "empty"));
  const directories = await told(cwd, "store", "load", "thoughtflow", "empty", ...store);
  expect(directories.said).toBe("11 new records; wrote the tables of 2 sessions.\n");
  const again = await told(cwd, "store", "load", "thoughtflow", ...store);
  expect(again.said).toBe("0 new records; wrote the tables of 0 sessions.\n");
  const [session] = assemble(weatherRun("1", "ann"));
  const document = await told(cwd, "store", "document", "session-1", ...store);
  expect(document.out).toBe(session && canonicalJson(session));
});

test("search and sql answer, and can't change anything", async () => {
  const cwd = flowDirectory();
  const found = await told(
    cwd,
    "search",
    "perth",
    "label:user_message",
    "user:ann",
    "--format",
    "json",
  );
  expect(JSON.parse(found.out)).toMatchObject([
    { session: "session-1", label: "user_message", text: "How warm is it in Perth?" },
  ]);
  const sums = await told(
    cwd,
    "sql",
    "select count(*) as n, decimal_sum(cost_usd) as cost from llm_traces -- all",
    "--format",
    "csv",
  );
  expect(sums.out).toBe("n,cost\r\n6,0.0003495\r\n");
  for (const [query, hint] of [
    ["delete from steps", " Only a SELECT can be asked."],
    ["select 1) as a; delete from steps; --", ""],
    ["/* all of them */ select * from nothing", ""],
    ["pragma journal_mode = delete", " Only a SELECT can be asked."],
    ["attach 'other.db' as other", " Only a SELECT can be asked."],
    ["", " Only a SELECT can be asked."],
    [`${"/* one of many */ ".repeat(50)}drop table steps`, " Only a SELECT can be asked."],
  ] as const) {
    const refused = await told(cwd, "sql", query);
    expect([query, refused.code, refused.said.trim()]).toEqual([
      query,
      1,
      expect.stringMatching(new RegExp(`^The database says: [^.]+\\.${hint}$`)),
    ]);
  }
  const left = await told(cwd, "sql", "select count(*) as n from steps", "--format", "csv");
  expect(left.out).not.toBe("n\r\n0\r\n");
});

test.each([
  [["stats", "--by", "colour"], 3, /--by is "colour", but must be one of: model/],
  [["stats", "--by", "model", "--runs", "failed"], 3, /either --by or --runs/],
  [["stats", "--since", "soon"], 3, /--since is "soon"/],
  [["stats", "--runs", "failed", "--limit", "0"], 3, /--limit is "0"/],
  [["stats", "--dir", "nowhere"], 1, /There is no flow directory .*nowhere/],
  [
    ["stats", "--store", "mysql://there/db"],
    3,
    /postgres:\/\/… or the path of a SQLite file, not "mysql/,
  ],
  [["stats", "--store", "file://there/flows.db"], 3, /a SQLite file, not "file:\/\/there/],
  [["stats", "--store", "missing.db"], 1, /missing\.db can't be opened: [^.]+\.$/m],
  [["search", "colour:red"], 3, /no field "colour"/],
  [["search", "never-said"], 0, /^No step matches never-said$/m],
  [["search", "/(/"], 3, /\/\(\/ is no pattern/],
  [["store", "lod"], 3, /Did you mean load\?/],
  [["store", "load", "nothing"], 1, /There is no file or directory nothing/],
  [["store", "document", "nobody"], 1, /The store has no session nobody/],
])("%j is told what is wrong", async (argv, code, message) => {
  const { code: ended, said } = await told(flowDirectory(), ...argv);
  expect([ended, said]).toEqual([code, expect.stringMatching(message)]);
});

test("a user is forgotten by the store and the files", async () => {
  const cwd = flowDirectory();
  await told(cwd, "recover");
  await told(cwd, "stats");
  const dry = await told(cwd, "store", "forget", "--user", "ann", "--dry-run");
  expect([dry.out, dry.said]).toEqual(["session-1\n", "1 session would go.\n"]);
  const gone = await told(cwd, "store", "forget", "--user", "ann");
  expect(gone.said).toEqual(
    expect.stringMatching(/^Erased 1 session from the store, and \d files?\.\n/),
  );
  const left = await told(cwd, "stats", "--by", "user", "--format", "json");
  expect(
    JSON.parse(left.out)
      .map(({ user }: { user: string }) => user)
      .sort(),
  ).toEqual(["bob", "dan"]);
  const bytes = readdirSync(join(cwd, "thoughtflow"), { recursive: true, withFileTypes: true })
    // The journals here are of this process: theirs is rm's own test.
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith(".journal"))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "latin1"));
  expect(bytes.some((text) => text.includes("SM1") || /\bann\b/.test(text))).toBe(false);
  expect(bytes.some((text) => /\bbob\b/.test(text))).toBe(true);
});

test("what can't be erased when a session is forgotten is named, and the rest is gone", async () => {
  const cwd = flowDirectory();
  await told(cwd, "recover");
  const picture = join(cwd, "thoughtflow", "session-1.svg");
  rmSync(picture, { force: true });
  mkdirSync(picture);
  const { code, said } = await told(cwd, "store", "forget", "session-1");
  expect(code).toBe(1);
  expect(said).toContain(`This is not erased: ${picture}: `);
  expect(readdirSync(join(cwd, "thoughtflow"))).not.toContain("session-1.json");
});

test("rm reaches the flow directory's own store", async () => {
  const cwd = flowDirectory();
  await told(cwd, "stats");
  await told(cwd, "rm", "session-1");
  const left = await told(
    cwd,
    "sql",
    "select session_id from steps group by 1 order by 1",
    "--format",
    "csv",
  );
  expect(left.out).toBe("session_id\r\nsession-3\r\nsession-4\r\n");
});

test("old sessions go from the store, after a look at which", async () => {
  const cwd = flowDirectory();
  const store = ["--store", "team.db"];
  await told(cwd, "store", "load", "thoughtflow", ...store);
  const dry = await told(cwd, "store", "prune", "--older-than", "1d", "--dry-run", ...store);
  expect([dry.out, dry.said]).toEqual([
    "session-1\nsession-3\nsession-4\n",
    "3 sessions would go.\n",
  ]);
  const large = await told(cwd, "store", "prune", "--larger-than", "1B", ...store);
  expect(large.out).toBe("session-1\nsession-3\nsession-4\n");
  const left = await told(cwd, "stats", ...store, "--format", "json");
  expect(JSON.parse(left.out)[0].sessions).toBe(0);
});

test("doctor says what the store that is named lacks", async () => {
  const cwd = flowDirectory();
  const finding = async (url: string) => {
    const io = capturedIo(cwd, { env: { THOUGHTFLOW_STORE_URL: url } });
    await thoughtflow(["doctor", "--format", "json"], io);
    const findings: { subject: string; status: string; message: string }[] = JSON.parse(
      io.stdout(),
    );
    return findings.find(({ subject }) => subject === "store");
  };
  expect(await finding("team.db")).toMatchObject({ status: "failure" });
  await told(cwd, "store", "load", "thoughtflow/session-4.json", "--store", "team.db");
  expect(await finding("team.db")).toMatchObject({
    status: "warning",
    message: expect.stringMatching(/team\.db lacks what 5 files here say/),
  });
  await told(cwd, "store", "load", "--store", "team.db");
  expect(await finding("team.db")).toMatchObject({ status: "ok" });
});
