import {
  type AdaptationEdit,
  approve,
  approveCatalogue,
  catalogueFrom,
  editBefore,
  editDirectly,
  openProposal,
  type Proposal,
  problemOfEdit,
  reject,
  rollBack,
  setPolicy,
  textOfFile,
} from "@thoughtflow/adaptations";
import { plainText as clean } from "@thoughtflow/render";
import type { CommandArguments } from "../command.ts";
import { badArguments, CommandError } from "../command-error.ts";
import type { CommandIo } from "../command-io.ts";
import { type Adapting, oneLine, sayProposal } from "./adapting.ts";
import { approvalOf } from "./approver.ts";

/** The change that the options of `adapt edit` say. */
export function changeFrom(args: CommandArguments): AdaptationEdit {
  const [title, content] = [args.text("title"), args.text("content")];
  if (title === undefined && content === undefined)
    throw badArguments("edit needs --title or --content.");
  return { ...(title !== undefined && { title }), ...(content !== undefined && { content }) };
}

/** `adapt enable`, `adapt disable`, `adapt edit`. */
export async function edit(
  { args, io, files, items, rest: [id] }: Adapting,
  change: AdaptationEdit,
): Promise<void> {
  if (id === undefined) throw needsId(io);
  const problem = problemOfEdit(change);
  if (problem !== undefined) throw new Error(problem);
  if (items.length > 0 && !items.some((item) => item.id === id)) {
    throw new CommandError(`There is no adaptation ${id} in the catalogue.`);
  }
  editDirectly(files, await approvalOf(args, io), id, change);
  io.say(`${id} is changed. To take it back: ${io.self} adapt rollback ${id}`);
}

/** `adapt approve`: shows what is to be signed, and asks for the passphrase only where there is something to sign. */
export async function approveOne(adapting: Adapting): Promise<void> {
  const { args, io, files, items, rest } = adapting;
  if (rest[0] === "catalogue") return await approveCatalogueFile(adapting);
  const proposal = decidable(adapting, "approve");
  sayProposal(proposal, items, io);
  approve(files, await approvalOf(args, io), proposal.proposal, proposal);
  io.say(
    `${proposal.proposal} is in force. To take it back: ${io.self} adapt rollback ${oneLine(proposal.id)}`,
  );
}

async function approveCatalogueFile({ args, io, files }: Adapting): Promise<void> {
  const text = textOfFile(files.catalogue);
  if (text === "") throw new Error(`there is no ${files.catalogue}`);
  const shown = catalogueFrom(JSON.parse(text));
  for (const { id, enabled, title, content, scope } of shown) {
    const place = [scope.agent, scope.channel].map((word) => oneLine(word ?? "*")).join(" × ");
    io.say(`${id} ${enabled ? "on" : "off"} (${place}) ${oneLine(title)}: ${clean(content)}`);
  }
  approveCatalogue(files, await approvalOf(args, io), shown);
  io.say("The catalogue is signed as it is.");
}

/** `adapt reject`. */
export async function rejectOne(adapting: Adapting): Promise<void> {
  const { args, io, files, items } = adapting;
  const proposal = decidable(adapting, "reject");
  sayProposal(proposal, items, io);
  reject(files, await approvalOf(args, io), proposal.proposal);
  io.say(`${proposal.proposal} is rejected.`);
}

/** The proposal that is named; nobody is asked for a passphrase for one that isn't there. */
function decidable({ state, rest: [name], io }: Adapting, verb: string): Proposal {
  const open = state.proposals.filter(({ state }) => state === "proposed");
  const names = open.map(({ proposal }) => oneLine(proposal)).join(", ");
  const hint = open.length === 0 ? "Nothing waits for a decision" : `To be decided: ${names}`;
  if (name === undefined)
    throw badArguments(`This needs the name of a proposal: ${io.self} adapt ${verb} p1. ${hint}.`);
  try {
    return openProposal(state, name);
  } catch (error) {
    throw new Error(`${(error as Error).message}. ${hint}`);
  }
}

/** `adapt rollback`. */
export async function rollBackOne({ args, io, files, state, rest: [id] }: Adapting): Promise<void> {
  if (id === undefined) throw needsId(io);
  editBefore(state, id);
  rollBack(files, await approvalOf(args, io), id);
  io.say(`${id} is what it was before its last change.`);
}

function needsId({ self }: CommandIo): Error {
  return badArguments(`This needs the id of an adaptation. See: ${self} adapt list`);
}

/** `adapt policy`. */
export async function choosePolicy({ args, io, files, state, rest }: Adapting): Promise<void> {
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
