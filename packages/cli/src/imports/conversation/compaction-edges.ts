import { EVIDENCE_COMPACTION } from "@thoughtflow/schema/steps";
import type { ImportedEdge } from "../imported-span.ts";
import type { Conversation } from "./conversation.ts";

/** What the next call goes on from where its history was replaced by a summary; each compaction once. */
export function takeCompaction(
  conversation: Pick<Conversation, "compacted">,
): readonly ImportedEdge[] {
  const { compacted } = conversation;
  conversation.compacted = undefined;
  if (compacted === undefined) return [];
  const evidence = EVIDENCE_COMPACTION;
  return [{ to: `s_${compacted}`, type: "continues", origin: "observed", evidence }];
}
