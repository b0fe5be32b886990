import type { Edge } from "@thoughtflow/schema";
import { oneLine } from "./clean-text.ts";

/** What a step did to the one that it rests on. */
const WORDS: ReadonlyMap<string, string> = new Map([
  ["responds_to", "answers"],
  ["requests", "asked for by"],
  ["returns", "given by"],
  ["reads", "reads"],
  ["uses_snapshot", "uses"],
  ["continues", "continues"],
  ["retry_of", "retries"],
  ["revises", "revises"],
  ["related_to", "related to"],
  ["branches_from", "branches from"],
  ["merges", "merges"],
  ["handoff", "handed over by"],
  ["subagent_spawn", "spawned by"],
  ["follows", "comes after"],
  ["depends_on", "rests on"],
]);

/** `reads, observed`: what an edge says and how it is known. */
export function edgeWords(edge: Edge): string {
  const word = WORDS.get(edge.type) ?? oneLine(edge.type);
  const sure = edge.confidence === undefined ? "" : ` ${edge.confidence}`;
  return `${word}, ${edge.origin}${sure}`;
}
