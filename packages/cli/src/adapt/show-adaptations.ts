import {
  type Adaptation,
  type AdaptationScope,
  type AdaptationState,
  includedIn,
  isFor,
} from "@thoughtflow/adaptations";
import { plainText as clean } from "@thoughtflow/render";
import type { CommandArguments } from "../command.ts";
import { CommandError } from "../command-error.ts";
import { jsonText } from "../json-text.ts";
import { textTable } from "../text-table.ts";
import { proofIn, proofTable } from "./adapt-proof.ts";
import { type Adapting, oneLine, sayProposal } from "./adapting.ts";
import { approverKey } from "./approver.ts";

/** `adapt list`: what there is, and what is proposed. */
export function listAll({ args, io, files, items, state }: Adapting): void {
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

function scopeOf(args: CommandArguments): AdaptationScope {
  const [agent, channel] = [args.text("agent"), args.text("channel")];
  return { ...(agent !== undefined && { agent }), ...(channel !== undefined && { channel }) };
}

/** `adapt get`. */
export function getOne({ args, io, items, rest: [id = ""] }: Adapting): void {
  const item = items.find((one) => one.id === id);
  if (item === undefined)
    throw new CommandError(
      `There is no adaptation ${id} in the catalogue file; a program may have it in its own catalogue.`,
    );
  const format = args.text("format");
  io.out(jsonText({ item }, format === "raw" ? "raw" : "json"));
}

/** `adapt preview`: the text that a prompt has. */
export function previewAll({ args, io, files, items }: Adapting): void {
  if (items.length === 0)
    io.say(`There is no catalogue in ${files.dir}; a program may have its own.`);
  const { included, leftOut } = includedIn(items, scopeOf(args));
  for (const { id } of leftOut)
    io.say(`There is no room for ${clean(id)}: it stands in no prompt.`);
  io.out(`${included.map(({ content }) => clean(content)).join("\n")}\n`);
}

/** `adapt log`. */
export function showLog({ args, io, state }: Adapting): void {
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

/** `adapt verify`. */
export function verifyLog({ args, io, files, state }: Adapting): void {
  if (approverKey(args, io) === undefined)
    throw new CommandError(`There is no public key to check by. See: ${io.self} adapt key`);
  for (const { line, text } of state.problems) io.say(`${files.audit}, line ${line}: ${text}`);
  if (state.problems.length > 0)
    throw new CommandError(`${state.problems.length} of the log's lines are not sound.`);
  io.out(
    `The log is sound: ${state.entries.length} lines, ${state.signed.length} of them signed.\n`,
  );
}

/** `adapt proof`. */
export async function showProof({ args, io, dir, rest: [id = ""] }: Adapting): Promise<void> {
  const proof = await proofIn(dir, id);
  const format = args.text("format") ?? "pretty";
  io.out(format === "pretty" ? proofTable(id, proof) : jsonText(proof, format));
}
