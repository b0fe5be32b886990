import { join } from "node:path";
import {
  type Adaptation,
  type AdaptationEdit,
  type AdaptationFiles,
  type AdaptationScope,
  type AdaptationState,
  adaptationFiles,
  approve,
  approveCatalogue,
  catalogueFrom,
  editDirectly,
  includedIn,
  isFor,
  type Proposal,
  readState,
  reject,
  rollBack,
  setPolicy,
  textOfFile,
  withEdits,
} from "@thoughtflow/adaptations";
import { plainText as clean } from "@thoughtflow/render";
import { proofIn, proofTable } from "../adapt/adapt-proof.ts";
import { approvalOf, approverKey, makeKey } from "../adapt/approver.ts";
import type { Command, CommandArguments } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { ExitCode } from "../exit-code.ts";
import { DIR_OPTION, flowDirectory } from "../flow-directory.ts";
import { FORMAT_OPTION } from "../format-option.ts";
import { jsonText } from "../json-text.ts";
import { nearestMatch } from "../nearest-match.ts";
import { textTable } from "../text-table.ts";

/** All that a verb works with. */
interface Adapting {
  readonly args: CommandArguments;
  readonly io: CommandIo;
  readonly dir: string;
  readonly files: AdaptationFiles;
  readonly state: AdaptationState;
  /** The catalogue file's items with what is in force; of a catalogue in a program the edits alone are known. */
  readonly items: readonly Adaptation[];
  /** What follows the verb. */
  readonly rest: readonly string[];
}

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

function scopeOf(args: CommandArguments): AdaptationScope {
  const [agent, channel] = [args.text("agent"), args.text("channel")];
  return { ...(agent !== undefined && { agent }), ...(channel !== undefined && { channel }) };
}

function listAll({ args, io, files, items, state }: Adapting): void {
  const shown = items.filter((item) => isFor(item, scopeOf(args)));
  const format = args.text("format") ?? "pretty";
  if (format !== "pretty") {
    io.out(
      jsonText(
        { items: shown, edits: Object.fromEntries(state.edits), proposals: state.proposals },
        format,
      ),
    );
    return;
  }
  const rows = shown.map(({ id, enabled, scope, title, content }) => [
    id,
    enabled ? "on" : "off",
    [scope.agent, scope.channel].map((word) => word ?? "*").join(" × "),
    state.edits.has(id) ? "edited" : "",
    `${title}: ${content}`.slice(0, 100),
  ]);
  rows.push(...editsElsewhere(items, state));
  if (rows.length > 0) {
    io.out(
      textTable(
        ["ID", "", "AGENT × CHANNEL", "", "WHAT"],
        rows.map((row) => row.map(clean)),
      ),
    );
  }
  const open = state.proposals.filter((proposal) => proposal.state === "proposed");
  if (rows.length === 0 && open.length === 0) io.say(`There are no adaptations in ${files.dir}.`);
  for (const proposal of open) sayProposal(proposal, items, io);
  if (open.length > 0)
    io.say(`To decide: ${io.self} adapt approve|reject ${oneLine(open[0]?.proposal)}`);
}

/** Rows of what is in force and not in the catalogue file: a program's own catalogue has the rest of each. */
function editsElsewhere(items: readonly Adaptation[], { edits }: AdaptationState): string[][] {
  const known = new Set(items.map(({ id }) => id));
  return [...edits]
    .filter(([id]) => !known.has(id))
    .map(([id, { enabled, title, content }]) => [
      id,
      enabled === undefined ? "" : enabled ? "on" : "off",
      "in the program",
      "edited",
      [title, content]
        .filter((text) => text !== undefined)
        .join(": ")
        .slice(0, 100),
    ]);
}

function getOne({ args, io, items, rest: [id = ""] }: Adapting): void {
  const item = items.find((one) => one.id === id);
  if (item === undefined)
    throw new CommandError(`There is no adaptation ${id} in the catalogue file.`);
  const format = args.text("format");
  io.out(jsonText({ item }, format === "raw" ? "raw" : "json"));
}

function previewAll({ args, io, items }: Adapting): void {
  const { included, leftOut } = includedIn(items, scopeOf(args));
  for (const { id } of leftOut)
    io.say(`There is no room for ${clean(id)}: it stands in no prompt.`);
  io.out(`${included.map(({ content }) => clean(content)).join("\n")}\n`);
}

function changeFrom(args: CommandArguments): AdaptationEdit {
  const [title, content] = [args.text("title"), args.text("content")];
  if (title === undefined && content === undefined)
    throw badArguments("edit needs --title or --content.");
  return { ...(title !== undefined && { title }), ...(content !== undefined && { content }) };
}

async function edit(
  { args, io, files, items, rest: [id] }: Adapting,
  change: AdaptationEdit,
): Promise<void> {
  if (id === undefined)
    throw badArguments("This needs the id of an adaptation. See: thoughtflow adapt list");
  if (items.length > 0 && !items.some((item) => item.id === id)) {
    throw new CommandError(`There is no adaptation ${id} in the catalogue.`);
  }
  editDirectly(files, await approvalOf(args, io), id, change);
  io.say(`${id} is changed. To take it back: ${io.self} adapt rollback ${id}`);
}

async function approveOne({
  args,
  io,
  files,
  items,
  state,
  rest: [name = ""],
}: Adapting): Promise<void> {
  if (name === "catalogue") {
    const shown = catalogueFrom(JSON.parse(textOfFile(files.catalogue)));
    for (const { id, enabled, title, content, scope } of shown) {
      const place = [scope.agent, scope.channel].map((word) => oneLine(word ?? "*")).join(" × ");
      io.say(`${id} ${enabled ? "on" : "off"} (${place}) ${oneLine(title)}: ${clean(content)}`);
    }
    approveCatalogue(files, await approvalOf(args, io), shown);
    io.say("The catalogue is signed as it is.");
    return;
  }
  const proposal = state.proposals.find((one) => one.proposal === name);
  if (proposal === undefined) throw new Error(`there is no proposal ${name}`);
  sayProposal(proposal, items, io);
  approve(files, await approvalOf(args, io), name, proposal);
  io.say(`${name} is in force. To take it back: ${io.self} adapt rollback ${oneLine(proposal.id)}`);
}

async function rejectOne({ args, io, files, rest: [name = ""] }: Adapting): Promise<void> {
  reject(files, await approvalOf(args, io), name);
  io.say(`${name} is rejected.`);
}

async function rollBackOne({ args, io, files, rest: [id = ""] }: Adapting): Promise<void> {
  rollBack(files, await approvalOf(args, io), id);
  io.say(`${id} is what it was before its last change.`);
}

async function choosePolicy({ args, io, files, state, rest }: Adapting): Promise<void> {
  if (rest.length === 0) {
    io.out(
      `${state.auto.size === 0 ? "human" : `auto: ${[...state.auto].map(clean).join(", ")}; all others human`}\n`,
    );
    return;
  }
  const auto = rest[0] === "human" ? [] : rest.filter((word) => word !== "auto");
  if (rest[0] !== "human" && rest[0] !== "auto")
    throw badArguments("policy is human, or auto and ids.");
  setPolicy(files, await approvalOf(args, io), auto);
  io.say(
    auto.length === 0
      ? "A person decides on every change."
      : `Without a person may change: ${auto.join(", ")}.`,
  );
}

function showLog({ args, io, state }: Adapting): void {
  const format = args.text("format") ?? "pretty";
  if (format !== "pretty") {
    io.out(jsonText(state.entries, format));
    return;
  }
  const rows = state.entries.map(({ seq, at, kind, id, proposal, signature, reason }) => [
    String(seq),
    at.replace("T", " ").replace(/\.\d+Z$/, ""),
    kind,
    id ?? "",
    proposal ?? "",
    signature === undefined ? "" : "signed",
    reason ?? "",
  ]);
  io.out(
    textTable(
      ["LINE", "WHEN (UTC)", "WHAT", "ADAPTATION", "PROPOSAL", "", "WHY"],
      rows.map((row) => row.map(clean)),
    ),
  );
}

function verifyLog({ args, io, files, state }: Adapting): void {
  if (approverKey(args, io) === undefined)
    throw new CommandError(`There is no public key to check by. See: ${io.self} adapt key`);
  for (const { line, text } of state.problems) io.say(`${files.audit}, line ${line}: ${text}`);
  if (state.problems.length > 0)
    throw new CommandError(`${state.problems.length} of the log's lines are not sound.`);
  io.out(
    `The log is sound: ${state.entries.length} lines, ${state.signed.length} of them signed.\n`,
  );
}

function showProof({ args, io, dir, rest: [id = ""] }: Adapting): void {
  const proof = proofIn(dir, id);
  const format = args.text("format") ?? "pretty";
  io.out(format === "pretty" ? proofTable(id, proof) : jsonText(proof, format));
}

/** What is proposed, beside what is, without anything that acts on the terminal: a person decides by it. */
function sayProposal(
  { proposal, id, edit: change, reason }: Proposal,
  items: readonly Adaptation[],
  io: CommandIo,
): void {
  const item = items.find((one) => one.id === id);
  io.say(
    `${oneLine(proposal)} of ${oneLine(id)}${reason === undefined ? "" : ` (${oneLine(reason)})`}`,
  );
  for (const [name, now] of Object.entries(change)) {
    const before = item?.[name as keyof AdaptationEdit];
    if (before !== undefined) io.say(`  - ${name}: ${oneLine(before)}`);
    io.say(`  + ${name}: ${oneLine(now)}`);
  }
}

function oneLine(value: unknown): string {
  return clean(String(value)).replace(/\s+/g, " ");
}
