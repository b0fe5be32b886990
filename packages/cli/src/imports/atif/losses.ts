import { apart, kept, type LossPart, type LossTable, lost, missed } from "../loss-table.ts";
import { listOf, type PlainObject } from "../plain-values.ts";
import { trajectoriesIn } from "./embedded.ts";

const FAILURE = (at: string) => ({
  [`${at}.tool_result_is_error`]: kept("whether the tool failed"),
  [`${at}.tool_result_metadata.is_error`]: kept("whether the tool failed"),
  [`${at}.tool_result_metadata.*`]: lost("the result has its words"),
  [`${at}.tool_metadata.exit_code`]: kept("whether the tool failed"),
  [`${at}.tool_metadata.*`]: lost("the result has its words"),
  [`${at}.*`]: missed("no place for it"),
});

/** What becomes of a trajectory that another program wrote; of our own everything comes back. */
export const ATIF_LOSSES: LossTable = {
  parts: partsOfTrajectory,
  fields: {
    trajectory: {
      schema_version: lost("all are read"),
      session_id: kept("session id"),
      trajectory_id: kept("the sub-agent's id"),
      "agent.name": kept("name of the agent"),
      "agent.version": kept("resource"),
      "agent.model_name": kept("model of calls that name none"),
      "agent.tool_definitions": kept("tool definitions"),
      "agent.extra": missed("no place for it"),
      steps: apart("step"),
      notes: kept("final state of the run"),
      final_metrics: kept(
        "final state of the run; a step has the tokens that no step of the trajectory tells, and the cost, where none tells any, or tokens that the table has a price for",
      ),
      continued_trajectory_ref: kept(
        "final state of the run; the first call of that trajectory continues the last one of this",
      ),
      extra: kept("final state of the run"),
      subagent_trajectories: apart("trajectory"),
    },
    step: {
      step_id: lost("the order of the steps is kept"),
      timestamp: kept("time"),
      source: kept("who said it"),
      model_name: kept("model of the call"),
      reasoning_effort: kept("reasoning level of the call"),
      message: kept("what was said"),
      reasoning_content: kept("thoughts"),
      tool_calls: kept("tool calls"),
      "observation.results[].source_call_id": kept(
        "which call a result answers; one without it answers those of its step that none names",
      ),
      "observation.results[].content": kept("result; of a step without calls a step `generic`"),
      "observation.results[].subagent_trajectory_ref": kept("the sub-agent that the call started"),
      ...FAILURE("observation.results[].extra"),
      "metrics.prompt_tokens": kept("tokens of the call"),
      "metrics.completion_tokens": kept("tokens of the call"),
      "metrics.cached_tokens": kept("tokens of the call"),
      "metrics.cost_usd": kept("what the call cost, as the program says"),
      "metrics.extra.cache_creation_input_tokens": kept("tokens of the call"),
      "metrics.extra.reasoning_output_tokens": kept("tokens of the call"),
      "metrics.extra.thoughts_tokens": kept("tokens of the call"),
      "metrics.extra.reasoning_tokens": kept("tokens of the call"),
      "metrics.extra.*": lost("no place for it"),
      "metrics.*": lost("for training, not for reading"),
      is_copied_context: kept("such a step is left out: it stands in an earlier trajectory"),
      llm_call_count: kept(
        "0: a step `generic`, no call of a model; several are one call, and the others are told as lost",
      ),
      "extra.is_sidechain": kept(
        "whether it is of a sub-agent: the one that `extra.agent_id` names, else the one that was told something last",
      ),
      "extra.agent_id": kept("the sub-agent whose step it is"),
      ...FAILURE("extra"),
    },
  },
  impossible: {
    "dependencies between steps": "ATIF has none: only tool calls and their results, and the order",
    "when a step ended": "only when it was written",
    "turns of a person": "each message of the user begins a run",
  },
};

function* partsOfTrajectory(trajectory: PlainObject): Generator<LossPart> {
  for (const one of trajectoriesIn(trajectory)) {
    yield ["trajectory", one];
    for (const step of listOf(one["steps"])) yield ["step", step];
  }
}
