import { ATTR_SESSION_ID, ATTR_THOUGHTFLOW_SESSION_ORIGIN } from "@thoughtflow/semconv";
import type { SessionMatch } from "@thoughtflow/workflow";

/** What every span of a session says of it: of a run no more, because these names are known before their values. */
export type SessionAttributes = {
  readonly [ATTR_SESSION_ID]: string;
  readonly [ATTR_THOUGHTFLOW_SESSION_ORIGIN]: SessionMatch["origin"];
};

export const SESSION_NAMES: readonly (keyof SessionAttributes)[] = [
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_SESSION_ORIGIN,
];

/** A session as attributes. */
export function sessionAttributes({ sessionId, origin }: SessionMatch): SessionAttributes {
  return { [ATTR_SESSION_ID]: sessionId, [ATTR_THOUGHTFLOW_SESSION_ORIGIN]: origin };
}
