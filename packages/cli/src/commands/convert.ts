import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileNameOf, makeDirectory, realFileSystem } from "@thoughtflow/journal";
import {
  plainText,
  type Renderer,
  type RenderOptions,
  type WorkflowRendererName,
  workflowRenderers,
} from "@thoughtflow/render";
import type { Session } from "@thoughtflow/schema";
import type { Workflow } from "@thoughtflow/workflow/document";
import type { Command } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { lossLines } from "../conversions/conversion-losses.ts";
import { TARGETS, type TargetName } from "../conversions/targets.ts";
import { workflowLossLines } from "../conversions/workflow-losses.ts";
import { ExitCode } from "../exit-code.ts";
import { fileProblem } from "../file-problem.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { readSessionSource, SESSION_OPERAND, wholeSessionFrom } from "../load-session.ts";
import type { LineRenderer } from "../otlp-lines.ts";
import { OUTPUT_OPTION, outputDirectory, outputFile } from "../output-option.ts";
import { RUN_OPTION, requireRun } from "../run-option.ts";
import { shownPath } from "../shown-path.ts";
import { workflowFrom } from "../workflow-from.ts";

export const convert: Command = {
  operands: SESSION_OPERAND,
  count: { min: 0, max: 1 },
  options: {
    to: { value: "FORMAT", choices: Object.keys(TARGETS), summary: "what to make (required)" },
    run: RUN_OPTION,
    inferred: {
      summary:
        "in graphs of agents (gantt, dot, graphml; of a workflow in all but csv): also what is only likely (an answer that another was given, one after another)",
    },
    output: OUTPUT_OPTION,
    out: {
      value: "DIR",
      summary:
        "write the session into this directory, and each of its runs into a folder beside it",
    },
    verbose: { summary: "name each key of the document that is left out; default: how many" },
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const target = targetOf(args.text("to"));
    const renderer: Renderer = TARGETS[target];
    const [file, dir] = [outputFile(args, io.cwd), outputDirectory(args, "convert", io.cwd)];
    const run = args.text("run");
    if (args.has("output") && dir !== undefined) {
      throw badArguments("convert takes either --output FILE or --out DIR, not both.");
    }
    const [word = "latest"] = args.positionals;
    const found = await readSessionSource(word, flowDirectory(args, io), io);
    const inferred = args.has("inferred");
    const workflow = await workflowFrom(found);
    if (workflow !== undefined) {
      await convertWorkflow(workflow, { target, inferred, file, dir, run, name: found.name }, io);
      return ExitCode.ok;
    }
    const session = await wholeSessionFrom(found, io);
    requireRun(session, run);
    const whole = () =>
      rendered(renderer, session, { inferred, ...(run !== undefined && { run }) });
    if (dir !== undefined) await writeAll(session, renderer, { run, inferred }, dir, io);
    else if (file !== undefined) await write(file, whole(), io);
    else for (const text of whole()) io.out(io.terminal ? plainText(text) : text);
    for (const line of lossLines(target, session, args.has("verbose"))) io.say(plainText(line));
    return ExitCode.ok;
  },
};

function targetOf(name: string | undefined): TargetName {
  if (name === undefined || !Object.hasOwn(TARGETS, name)) {
    throw badArguments(`convert needs --to FORMAT, one of: ${Object.keys(TARGETS).join(", ")}.`);
  }
  return name as TargetName;
}

interface WorkflowConversion {
  readonly target: TargetName;
  readonly inferred: boolean;
  /** Absolute; where there is neither, it goes to stdout. */
  readonly file: string | undefined;
  readonly dir: string | undefined;
  readonly run: string | undefined;
  /** Of the workflow's file. */
  readonly name: string;
}

/** What `thoughtflow workflow` has written, as a picture or table of its agents. */
async function convertWorkflow(
  workflow: Workflow,
  { target, inferred, file, dir, run, name }: WorkflowConversion,
  io: CommandIo,
): Promise<void> {
  if (run !== undefined) throw badArguments("convert --run takes a session; this is a workflow.");
  if (!isWorkflowTarget(target)) {
    throw badArguments(
      `convert makes ${target} of sessions; of a workflow one of: ${Object.keys(workflowRenderers).join(", ")}.`,
    );
  }
  const renderer = workflowRenderers[target];
  const text = renderer.render(workflow, { inferred });
  const path =
    dir === undefined ? file : join(dir, `${basename(name, ".json")}${renderer.fileExtension}`);
  if (path !== undefined) await write(path, [text], io);
  else io.out(io.terminal ? plainText(text) : text);
  for (const line of workflowLossLines(target, workflow)) io.say(plainText(line));
}

function isWorkflowTarget(target: TargetName): target is WorkflowRendererName {
  return Object.hasOwn(workflowRenderers, target);
}

/** `<session>.d2`, and where it has several runs `<session>/<run>.d2`; with `--run` that run's alone. */
async function writeAll(
  session: Session,
  renderer: Renderer,
  { run: only, inferred }: { readonly run: string | undefined; readonly inferred: boolean },
  dir: string,
  io: CommandIo,
): Promise<void> {
  const name = fileNameOf(session.session_id);
  const { fileExtension } = renderer;
  if (only === undefined) {
    await write(
      join(dir, `${name}${fileExtension}`),
      rendered(renderer, session, { inferred }),
      io,
    );
  }
  const ids = session.conversations.map(({ conversation_id }) => conversation_id);
  for (const run of only === undefined ? (ids.length > 1 ? ids : []) : [only]) {
    const path = join(dir, name, `${fileNameOf(run)}${fileExtension}`);
    await write(path, rendered(renderer, session, { run, inferred }), io);
  }
}

/** What is made of a session, line by line where that can be. */
function rendered(
  renderer: Renderer | LineRenderer,
  session: Session,
  options: RenderOptions,
): Iterable<string> {
  if ("lines" in renderer) return renderer.lines(session, options);
  try {
    return [renderer.render(session, options)];
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const why = /call stack/.test(error.message)
      ? `can't be written: a value in it nests too deep.`
      : "is too long for one text. One run of it may not be: --run";
    throw new CommandError(`What ${renderer.name} would be of ${session.session_id} ${why}`);
  }
}

async function write(path: string, texts: Iterable<string>, io: CommandIo): Promise<void> {
  try {
    makeDirectory(dirname(path), realFileSystem, false);
    await writeFile(path, texts);
  } catch (error) {
    throw new CommandError(`${path} can't be written: ${fileProblem(error, path)}`);
  }
  io.say(shownPath(path, io.cwd));
}
