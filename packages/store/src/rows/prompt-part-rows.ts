import { decimalSum } from "@thoughtflow/assemble";
import { costShares, promptOf, tokenShares } from "@thoughtflow/provenance";
import type { Run, Session, Step } from "@thoughtflow/schema";
import type { PromptPartsTable } from "../tables.ts";
import { columnText, textOrNull } from "./column-values.ts";

/**
 * What a model call's prompt was made of, by type, id and version, with the tokens and the money of each. History and tool outputs are
 * one row each, however many there are.
 */
export function promptPartRows(
  session: Session,
  run: Run,
  call: Step,
  place: { readonly session_id: string; readonly run: number; readonly step: number },
): readonly PromptPartsTable[] {
  const prompt = promptOf(session, { run, step: call });
  const shares = tokenShares(prompt);
  const { tokens, framing } = shares;
  const costs = costShares(prompt, shares);
  const rows = new Map<string, PromptPartsTable>();
  const add = (type: string, id: unknown, version: unknown, count: number, cost?: string): void => {
    const key = JSON.stringify([type, id, version]);
    const known = rows.get(key);
    rows.set(key, {
      ...place,
      part: known?.part ?? rows.size,
      type: columnText(type),
      part_id: textOrNull(id),
      version: textOrNull(version),
      parts: (known?.parts ?? 0) + 1,
      tokens: (known?.tokens ?? 0) + count,
      cost_usd: cost === undefined ? null : decimalSum([known?.cost_usd ?? "0", cost]),
    });
  };
  prompt.segments.forEach(({ type, id, version }, at) => {
    add(type, id, version, tokens[at] ?? 0, costs?.segments[at]);
  });
  if (framing !== 0) add("unattributed", undefined, undefined, framing, costs?.framing);
  return [...rows.values()];
}
