import type { Confidence } from "@thoughtflow/schema/steps";
import {
  ATTR_THOUGHTFLOW_THOUGHT_BRANCH_FROM,
  ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID,
  ATTR_THOUGHTFLOW_THOUGHT_CONFIDENCE,
  ATTR_THOUGHTFLOW_THOUGHT_MERGES,
  ATTR_THOUGHTFLOW_THOUGHT_NUMBER,
  ATTR_THOUGHTFLOW_THOUGHT_RESOLUTION,
  ATTR_THOUGHTFLOW_THOUGHT_REVISES,
  ATTR_THOUGHTFLOW_THOUGHT_TYPE,
} from "@thoughtflow/semconv";
import { DEFAULT_THOUGHT_TYPE } from "./thought-type.ts";

/** What a span tells of a thought besides its words. */
export interface ThoughtFacts {
  readonly thoughtNumber: number;
  readonly type?: string | undefined;
  readonly confidence?: Confidence | undefined;
  readonly branchId?: string | undefined;
  readonly branchFromThought?: number | undefined;
  readonly revisesThought?: number | undefined;
  readonly mergesBranches?: readonly string[] | undefined;
  readonly resolution?: string | undefined;
}

/** The attributes of a thought's span: structure, which travels also where no content does. */
export function thoughtAttributes(facts: ThoughtFacts): Record<string, string | number | string[]> {
  const { branchId, branchFromThought, revisesThought, mergesBranches, resolution } = facts;
  return {
    [ATTR_THOUGHTFLOW_THOUGHT_NUMBER]: facts.thoughtNumber,
    [ATTR_THOUGHTFLOW_THOUGHT_TYPE]: facts.type ?? DEFAULT_THOUGHT_TYPE,
    ...(facts.confidence !== undefined && {
      [ATTR_THOUGHTFLOW_THOUGHT_CONFIDENCE]: facts.confidence,
    }),
    ...(branchId !== undefined && { [ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID]: branchId }),
    ...(branchFromThought !== undefined && {
      [ATTR_THOUGHTFLOW_THOUGHT_BRANCH_FROM]: branchFromThought,
    }),
    ...(revisesThought !== undefined && { [ATTR_THOUGHTFLOW_THOUGHT_REVISES]: revisesThought }),
    ...(mergesBranches !== undefined && {
      [ATTR_THOUGHTFLOW_THOUGHT_MERGES]: [...mergesBranches],
    }),
    ...(resolution !== undefined && { [ATTR_THOUGHTFLOW_THOUGHT_RESOLUTION]: resolution }),
  };
}

/** What such attributes say, in the field names of a thought's payload; absent ones are `undefined`. */
export function thoughtFields(
  attributes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const revisesThought = attributes[ATTR_THOUGHTFLOW_THOUGHT_REVISES];
  return {
    thought_type: attributes[ATTR_THOUGHTFLOW_THOUGHT_TYPE],
    confidence: attributes[ATTR_THOUGHTFLOW_THOUGHT_CONFIDENCE],
    thoughtNumber: attributes[ATTR_THOUGHTFLOW_THOUGHT_NUMBER],
    branchId: attributes[ATTR_THOUGHTFLOW_THOUGHT_BRANCH_ID],
    branchFromThought: attributes[ATTR_THOUGHTFLOW_THOUGHT_BRANCH_FROM],
    isRevision: revisesThought === undefined ? undefined : true,
    revisesThought,
    mergesBranches: attributes[ATTR_THOUGHTFLOW_THOUGHT_MERGES],
    resolution: attributes[ATTR_THOUGHTFLOW_THOUGHT_RESOLUTION],
  };
}
