// What thoughts may hold, as zod schemas; an entry of its own, so that programs that only record load no zod.

export { type ThoughtProblem, thoughtProblems } from "./thought-problems.ts";
export {
  ActionReport,
  AnyThought,
  AssumptionUpdate,
  BeliefSnapshot,
  ContextSnapshot,
  DecisionFrame,
  Progress,
  Reasoning,
  TypedThought,
} from "./thought-schema.ts";
