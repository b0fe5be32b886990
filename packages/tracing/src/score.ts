import {
  ATTR_GEN_AI_EVALUATION_EXPLANATION,
  ATTR_GEN_AI_EVALUATION_NAME,
  ATTR_GEN_AI_EVALUATION_SCORE_LABEL,
  ATTR_GEN_AI_EVALUATION_SCORE_VALUE,
  ATTR_SESSION_ID,
  ATTR_THOUGHTFLOW_RUN_ID,
  ATTR_THOUGHTFLOW_SCORE_AUTHOR,
  ATTR_THOUGHTFLOW_SCORE_EDGE,
  ATTR_THOUGHTFLOW_SCORE_SOURCE,
  ATTR_THOUGHTFLOW_STEP_ID,
  EVENT_GEN_AI_EVALUATION_RESULT,
} from "@thoughtflow/semconv";
import { optionCheck } from "./checks.ts";
import { recordSessionMoment } from "./session-moment.ts";

/** What a score is about: a session, or more closely one of its runs, steps or edges. */
export interface ScoreTarget {
  readonly session: string;
  readonly run?: string;
  readonly step?: string;
  /** The id that the edge leads to, from `step`. */
  readonly edge?: string;
}

/** A judgement by a person, a model or a program. */
export interface Score {
  readonly target: ScoreTarget;
  /** What is judged: `relevance`, `user_feedback` … */
  readonly name: string;
  /** A number, a label, or both. */
  readonly value?: number;
  readonly label?: string;
  /** Who judges: `human`, `model`, `code` … */
  readonly source?: string;
  readonly author?: string;
  readonly explanation?: string;
}

const checkScore = optionCheck(
  "score",
  {
    target: "object",
    name: "id",
    value: "number",
    label: "string",
    source: "string",
    author: "string",
    explanation: "string",
  },
  ["target", "name"],
);
const checkTarget = optionCheck(
  "score target",
  { session: "id", run: "id", step: "id", edge: "id" },
  ["session"],
);

/**
 * Records a score as the conventions' evaluation event, now or long after the run that it is about.
 *
 * @throws TypeError when an option has the wrong type, or there is neither a value nor a label.
 */
export function score(score: Score): void {
  checkScore(score);
  const { target, name, value, label, source, author, explanation } = score;
  checkTarget(target);
  if (value === undefined && label === undefined) {
    throw new TypeError(`score: "${name}" needs a "value" or a "label"`);
  }
  recordSessionMoment({ [ATTR_SESSION_ID]: target.session }, (span) => {
    span.addEvent(EVENT_GEN_AI_EVALUATION_RESULT, {
      [ATTR_GEN_AI_EVALUATION_NAME]: name,
      ...(value !== undefined && { [ATTR_GEN_AI_EVALUATION_SCORE_VALUE]: value }),
      ...(label !== undefined && { [ATTR_GEN_AI_EVALUATION_SCORE_LABEL]: label }),
      ...(explanation !== undefined && { [ATTR_GEN_AI_EVALUATION_EXPLANATION]: explanation }),
      ...(source !== undefined && { [ATTR_THOUGHTFLOW_SCORE_SOURCE]: source }),
      ...(author !== undefined && { [ATTR_THOUGHTFLOW_SCORE_AUTHOR]: author }),
      ...(target.run !== undefined && { [ATTR_THOUGHTFLOW_RUN_ID]: target.run }),
      ...(target.step !== undefined && { [ATTR_THOUGHTFLOW_STEP_ID]: target.step }),
      ...(target.edge !== undefined && { [ATTR_THOUGHTFLOW_SCORE_EDGE]: target.edge }),
    });
  });
}
