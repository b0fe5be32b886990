import { join } from "node:path";
import {
  type Adaptation,
  type AdaptationFiles,
  type AdaptationState,
  adaptationFiles,
  catalogueFrom,
  readState,
  textOfFile,
  withEdits,
} from "@thoughtflow/adaptations";
import type { Adapting } from "../adapt/adapting.ts";
import { approverKey, makeKey } from "../adapt/approver.ts";
import {
  approveOne,
  changeFrom,
  choosePolicy,
  edit,
  rejectOne,
  rollBackOne,
} from "../adapt/change-adaptations.ts";
import {
  getOne,
  listAll,
  previewAll,
  showLog,
  showProof,
  verifyLog,
} from "../adapt/show-adaptations.ts";
import type { Command } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { nearestMatch } from "../nearest-match.ts";

type Verb = (adapting: Adapting) => Promise<void> | void;

const VERBS: Readonly<Record<string, Verb>> = {
  list: listAll,
  get: getOne,
  preview: previewAll,
  enable: (adapting) => edit(adapting, { enabled: true }),
  disable: (adapting) => edit(adapting, { enabled: false }),
  edit: (adapting) => edit(adapting, changeFrom(adapting.args)),
  approve: approveOne,
  reject: rejectOne,
  rollback: rollBackOne,
  policy: choosePolicy,
  log: showLog,
  verify: verifyLog,
  proof: showProof,
  key: ({ args, io }) => makeKey(args, io),
};

export const adapt: Command = {
  operands: `<${Object.keys(VERBS).join("|")}> [id|proposal|catalogue]`,
  count: { min: 1, max: 64 },
  options: {
    title: { value: "TEXT", summary: "edit: a new title" },
    content: { value: "TEXT", summary: "edit: new guidance" },
    reason: { value: "TEXT", summary: "why, for the log" },
    agent: { value: "NAME", summary: "list, preview: only what applies to this agent" },
    channel: { value: "NAME", summary: "list, preview: only what applies to this channel" },
    key: {
      value: "FILE",
      summary: "the approver's key; default ~/.config/thoughtflow/approver.pem",
    },
    format: FORMAT_OPTION,
    dir: DIR_OPTION,
  },
  async run(args, io) {
    const [word = "", ...rest] = args.positionals;
    const verb = Object.hasOwn(VERBS, word) ? VERBS[word] : undefined;
    if (verb === undefined) {
      const like = nearestMatch(word, Object.keys(VERBS));
      const hint =
        like === undefined
          ? `There are: ${Object.keys(VERBS).join(", ")}.`
          : `Did you mean ${like}?`;
      throw badArguments(`adapt knows no ${word}. ${hint}`);
    }
    const dir = flowDirectory(args, io);
    const files = adaptationFiles(join(dir, "adaptations"));
    try {
      const state = readState(files, approverKey(args, io));
      await verb({ args, io, dir, files, state, items: itemsOf(files, state), rest });
    } catch (error) {
      if (error instanceof CommandError) throw error;
      throw new CommandError(`Nothing was changed: ${(error as Error).message}.`);
    }
    return ExitCode.ok;
  },
};

function itemsOf(files: AdaptationFiles, { edits }: AdaptationState): readonly Adaptation[] {
  const text = textOfFile(files.catalogue);
  return text === "" ? [] : withEdits(catalogueFrom(JSON.parse(text)), edits);
}
