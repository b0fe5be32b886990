import { hash } from "node:crypto";
import { resolve } from "node:path";
import { recordsFromSession } from "@thoughtflow/assemble";
import type { SpanRecord } from "@thoughtflow/schema";
import { toText, wordsOf } from "@thoughtflow/semconv";
import { createAgentSession } from "../conversation/agent-session.ts";
import { createToldTokens } from "../conversation/untold-tokens.ts";
import { type ImportFormat, ImportProblem, type ImportReport } from "../import-format.ts";
import { createLossCounter } from "../loss-table.ts";
import { listOf, membersOf, type PlainObject, textOf } from "../plain-values.ts";
import { filesOfFormat } from "../recognise.ts";
import { type SourceFile, sourceFile } from "../source-file.ts";
import { answeredBy, resultsIn } from "./answered-calls.ts";
import { continuedFiles, pathsGoingOnFrom } from "./continuations.ts";
import { embeddedIn, trajectoriesIn } from "./embedded.ts";
import { ATIF_LOSSES } from "./losses.ts";
import { flattenedIn, isNoCall, plainSteps, withCallIds } from "./plain-steps.ts";
import { isAtif } from "./recognise.ts";
import { agentOf, partsOf, promptOf, sessionIn } from "./records.ts";
import { pathsReferredBy, withReferred } from "./referred-files.ts";
import { createReading, nameOf, type Reading, trajectorySpans } from "./session.ts";
import { filesOfTrajectories } from "./trajectory-lines.ts";
import { trajectoryIn } from "./trajectory-text.ts";

/** Trajectories of ATIF, by whatever program: one session a file, or a line. What `convert --to atif` made comes back as it was. */
export const atif: ImportFormat = {
  summary: "trajectories in ATIF, the Agent Trajectory Interchange Format, up to 1.8",
  tellsNewsOnly: true,
  what: "a trajectory in ATIF",
  losses: ATIF_LOSSES,
  takes: (name) => name.endsWith(".json"),
  recognise: isAtif,
  async besides(path) {
    const row = await pathsGoingOnFrom(path);
    const referred = await pathsReferredBy(row.map((one) => sourceFile(one, one)));
    return [...new Set([...row, ...referred])].filter((one) => one !== resolve(path));
  },
  async *read(files, report) {
    const countLosses = createLossCounter(ATIF_LOSSES, report);
    const own = await filesOfTrajectories(await filesOfFormat(files, atif, report), report);
    const byPath = new Map(own.map((file) => [resolve(file.path ?? file.name), file]));
    const referred = await pathsReferredBy(own);
    const read = new Set<string>();
    const isReferred = (file: SourceFile) => referred.has(resolve(file.path ?? file.name));
    /** How many rows of files have a session's id. */
    const rows = new Map<string, number>();
    const isTold = createToldTrajectories();
    // What refers to each other in a circle is read from any of them.
    const inOrder = own.toSorted((a, b) => Number(isReferred(a)) - Number(isReferred(b)));
    for (const row of await continuedFiles(inOrder)) {
      let open: Open | undefined;
      const tokens = createToldTokens();
      for (const file of row) {
        const path = resolve(file.path ?? file.name);
        if (read.has(path)) continue;
        read.add(path);
        const told = trajectoryIn(await file.text());
        const trajectory = await withReferred(told, path, byPath, read);
        if (isTold(trajectory)) {
          report.lost("trajectory that is told twice");
          continue;
        }
        const own = sessionIn(trajectory);
        if (own !== undefined) {
          // Loads zod, which takes longer than a short import does.
          const { checkSession } = await import("@thoughtflow/schema");
          const [problem] = checkSession(own);
          if (problem !== undefined)
            throw new ImportProblem(
              `${file.name}: extra.thoughtflow was changed: ${problem.message}`,
            );
          yield* recordsFromSession(own);
          continue;
        }
        countLosses(trajectory);
        const id = idOf(trajectory);
        if (open?.id === id) yield* open.reading.session.compacted();
        else {
          const last: string | undefined = open?.reading.last;
          if (open !== undefined) yield* finished(open);
          const nth = rows.get(id) ?? 0;
          rows.set(id, nth + 1);
          const prefix = nth === 0 ? "" : `${nth}/`;
          open = opened(id, trajectory, { report, prefix, told: tokens, continues: last });
        }
        for (const tool of spawningIn(trajectory)) open.spawning.add(tool);
        yield* trajectorySpans(open.reading, trajectory);
        open.finalStates.push(finalStateOf(trajectory));
      }
      if (open !== undefined) yield* finished(open);
    }
  },
};

/** Tells whether a trajectory was told before, with all that it refers to: files are copied. */
function createToldTrajectories(): (trajectory: PlainObject) => boolean {
  const digests = new Set<string>();
  return (trajectory) => {
    const { size } = digests;
    return digests.add(hash("sha256", JSON.stringify(trajectory))).size === size;
  };
}

/** A session of which more trajectories may come. */
interface Open {
  readonly id: string;
  readonly reading: Reading;
  /** See {@link spawningIn}: of all of them. */
  readonly spawning: Set<string>;
  readonly finalStates: object[];
}

function idOf(trajectory: PlainObject): string {
  const named = textOf(trajectory["session_id"]) ?? textOf(trajectory["trajectory_id"]);
  return named ?? `atif_${hash("sha256", JSON.stringify(trajectory["steps"])).slice(0, 8)}`;
}

function opened(
  id: string,
  trajectory: PlainObject,
  more: Pick<Reading, "prefix" | "told" | "continues"> & { readonly report: ImportReport },
): Open {
  const { name, version } = agentOf(trajectory);
  const spawning = new Set<string>();
  const session = createAgentSession({
    source: "atif",
    sessionId: id,
    agentName: name,
    spawning,
    promptsOf: promptsIn,
    report: more.report,
    ...(version !== undefined && { resource: { "service.version": version } }),
  });
  return { id, reading: createReading({ ...more, session }), spawning, finalStates: [] };
}

function finalStateOf(trajectory: PlainObject): object {
  const { notes, final_metrics, continued_trajectory_ref, extra } = trajectory;
  return { notes, final_metrics, continued_trajectory_ref, extra };
}

/** What the last trajectory says at its end, and those before it. */
function* finished({ reading, finalStates }: Open): Generator<SpanRecord> {
  const earlier = finalStates.slice(0, -1);
  const finalState = { ...finalStates.at(-1), ...(earlier.length > 0 && { earlier }) };
  const says = Object.values(finalState).some((value) => value !== undefined && value !== null);
  yield* reading.session.finish({ finalState: says ? finalState : undefined });
}

/** The tools by whose calls sub-agents are named, and those that were told what an embedded one begins with. */
function spawningIn(trajectory: PlainObject): ReadonlySet<string> {
  return new Set(trajectoriesIn(trajectory).flatMap(spawningOf));
}

function spawningOf(trajectory: PlainObject): readonly string[] {
  const prompts = new Set([
    ...embeddedIn(trajectory).map(promptOf),
    ...flattenedPrompts(trajectory),
  ]);
  return plainSteps(trajectory)
    .map((step) => withCallIds(step, ""))
    .flatMap((step) => {
      const answers = answeredBy(step);
      const naming = resultsIn(step).filter(
        ({ subagent_trajectory_ref: refs }) => listOf(refs).length > 0,
      );
      if (isNoCall(step)) return naming.length === 0 ? [] : [nameOf(step)];
      const ids = new Set<unknown>(naming.flatMap((result) => answers.get(result) ?? []));
      return listOf(step["tool_calls"])
        .map(membersOf)
        .filter(
          ({ tool_call_id: id, arguments: args }) =>
            ids.has(id) || promptsIn(membersOf(args)).some((prompt) => prompts.has(prompt)),
        )
        .map(({ function_name: name }) => toText(name));
    });
}

/** What the sub-agents begin with whose steps stand among the others. */
function flattenedPrompts(trajectory: PlainObject): readonly string[] {
  const first = new Map<string, string>();
  for (const step of plainSteps(trajectory)) {
    const id = flattenedIn(step);
    if (id !== undefined && !first.has(id)) first.set(id, wordsOf(partsOf(step["message"])));
  }
  return [...first.values()];
}

const PROMPT_NAMES = ["prompt", "task", "message", "instructions", "query"];

/** What a call tells another agent, by the usual names. */
function promptsIn(args: PlainObject): readonly string[] {
  const prompt = PROMPT_NAMES.map((name) => textOf(args[name])).find((text) => text !== undefined);
  return prompt === undefined ? [] : [prompt];
}
