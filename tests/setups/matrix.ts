// What takes too long for `npm test`: openai's versions on Node's, and a thousand users of one server. Prints tables
// and ends with 1 when anything is wrong: `npm run test:matrix`, or `npm run test:matrix -- 7.57 24` for a part of it; the
// users are the part `users`, a version that nobody has seen yet is 8.0.0.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "../differential/differences.ts";
import { serveChatUsers } from "./chat-users.ts";
import { installNode, installOpenAI, renameOpenAI } from "./openai-versions.ts";
import { problemsOfVersion } from "./problems-of-version.ts";
import { REGISTER, sessionsIn } from "./run-app.ts";
import { seedsOf } from "./seeds-of.ts";

const NEWEST = "7.57.0";
const VERSIONS = [..."4.104.0 5.23.2 6.0.0 6.49.0 7.0.0 7.4.0 7.5.0 7.55.0".split(" "), NEWEST];
const NEVER_SEEN = "8.0.0";
/** The oldest that is promised, the last without synchronous module hooks, and the newest of each line. */
const NODES = ["20.19", "22.14", "22", "24", "26"];
const KINDS = ["mjs", "cjs"] as const;
const USERS = 1_000;

const [onlyVersion = "", onlyNode = ""] = process.argv.slice(2);

const root = await mkdtemp(join(tmpdir(), "thoughtflow-matrix-"));
const problems: string[] = [];
try {
  if (onlyVersion !== "users") await openaiOnNode();
  if (onlyVersion === "users" || onlyVersion === "") await manyUsers();
} finally {
  await rm(root, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? "\nno problems" : `\n${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function openaiOnNode(): Promise<void> {
  const nodes = [];
  for (const range of NODES.filter((one) => one.startsWith(onlyNode))) {
    nodes.push({ range, binary: await installNode(root, range) });
  }
  const versions = [];
  for (const version of VERSIONS.filter((one) => one.startsWith(onlyVersion))) {
    versions.push(await installOpenAI(root, version));
  }
  if (NEVER_SEEN.startsWith(onlyVersion)) {
    const newest = versions.at(-1) ?? (await installOpenAI(root, NEWEST));
    versions.push(await renameOpenAI(newest, root, NEVER_SEEN));
  }

  const head = ["openai", ...nodes.map(({ range }) => `Node ${range}`)];
  console.log(
    "With openai's ES modules / CommonJS: seven calls of an app with the register hook, and the hard cases, bare and observed\n",
  );
  console.log(`| ${head.join(" | ")} |\n|${head.map(() => "---|").join("")}`);
  for (const openai of versions) {
    const row = [openai.version];
    for (const { range, binary } of nodes) {
      if (binary === undefined) row.push("no build");
      else if (Number.parseInt(range, 10) < openai.oldestNode) row.push("–");
      else row.push(await cell(binary, openai, `openai ${openai.version}, Node ${range}`));
    }
    console.log(`| ${row.join(" | ")} |`);
  }
}

async function cell(
  binary: string,
  openai: Parameters<typeof problemsOfVersion>[1],
  name: string,
): Promise<string> {
  const marks = [];
  for (const kind of KINDS) {
    const found = await problemsOfVersion(binary, openai, kind);
    const target = { directory: join(openai.dir, "node_modules", "openai"), kind, node: binary };
    const warnings = openai.version === NEVER_SEEN ? ["THOUGHTFLOW_OPENAI_VERSION"] : [];
    const { scenarios, problems: noticed } = await compare(target, "instrumentation", warnings);
    found.push(...noticed.map(({ scenario, what }) => `${scenario}: ${what}`));
    problems.push(...found.map((problem) => `${name}, .${kind}: ${problem}`));
    marks.push(found.length === 0 ? `${scenarios} ok` : `${found.length} of ${scenarios} WRONG`);
  }
  return marks.join(" / ");
}

async function manyUsers(): Promise<void> {
  console.log(`\n${USERS} users of one server, two turns each, the same words, 20 at a time:\n`);
  console.log("| history kept by | hook | serving | ending | most memory | sessions × runs |");
  console.log("|---|---|---|---|---|---|");
  for (const keeper of ["server", "browser"] as const) {
    for (const nodeArgs of [[], ["--import", REGISTER]]) {
      const flowDir = join(root, `users-${keeper}-${nodeArgs.length}`);
      const served = await serveChatUsers({ users: USERS, keeper, nodeArgs, flowDir });
      const sessions = await sessionsIn(flowDir);
      const seeds = sessions.map((session) => seedsOf(session));
      // What a browser sends along doesn't tell who it was; how many there are is known all the same.
      const whole = seeds.filter((runs) => {
        const [first, second] = runs.flat();
        return runs.length === 2 && (keeper === "browser" || first === second);
      }).length;
      const isObserved = nodeArgs.length > 0;
      if (isObserved && (sessions.length !== USERS || whole !== USERS)) {
        problems.push(
          `${keeper}: ${sessions.length} sessions, ${whole} of them with a user's two runs`,
        );
      }
      const row = [
        ...[keeper, isObserved ? "yes" : "no"],
        ...[seconds(served.servingMs), seconds(served.endingMs)],
        ...[`${Math.round(served.maxRssMb)} MB`, isObserved ? `${whole} × 2` : "–"],
      ];
      console.log(`| ${row.join(" | ")} |`);
    }
  }
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
