import type { Attributes } from "@thoughtflow/schema";
import { EVIDENCE_COMPACTION } from "@thoughtflow/schema/steps";
import { attributesOfEdges, type ImportedEdge } from "../imported-span.ts";
import type { Conversation } from "./conversation.ts";

/** What the next call goes on from where its history was replaced by a summary; each compaction once. */
export function takeCompaction(
  conversation: Pick<Conversation, "compacted">,
): readonly ImportedEdge[] {
  const { compacted } = conversation;
  conversation.compacted = undefined;
  return compacted === undefined ? [] : [edgeTo(compacted)];
}

/** The same of a summary that no call was given, as attributes of its step. */
export function attributesOfSummary(compacted: Conversation["compacted"]): Attributes | undefined {
  return compacted === undefined ? undefined : attributesOfEdges([edgeTo(compacted)]);
}

function edgeTo(compacted: string): ImportedEdge {
  const evidence = EVIDENCE_COMPACTION;
  return { to: `s_${compacted}`, type: "continues", origin: "observed", evidence };
}
