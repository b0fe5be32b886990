import { apart, kept, type LossPart, type LossTable, lost } from "../loss-table.ts";
import { listOf, type PlainObject } from "../plain-values.ts";

const OF_THE_TASK = "of the task, not of the agent's work";

/** What becomes of an instance of OpenHands' output. */
export const OPENHANDS_LOSSES: LossTable = {
  parts: partsOfInstance,
  fields: {
    instance: {
      history: apart("event"),
      trajectory: apart("event"),
      instance_id: kept("session id"),
      "metadata.agent_class": kept("name of the agent"),
      "metadata.*": lost("settings of the evaluation"),
      instruction: lost("the history has it"),
      instance: lost(OF_THE_TASK),
      "issue.title": kept("title, where there is no instance_id"),
      "issue.*": lost(OF_THE_TASK),
      issue_type: lost(OF_THE_TASK),
      base_commit: lost(OF_THE_TASK),
      test_result: kept("final state of the run"),
      git_patch: kept("final state of the run"),
      success: kept("final state of the run"),
      comment_success: kept("final state of the run"),
      result_explanation: kept("final state of the run"),
      error: kept("final state and status of the run"),
      "metrics.accumulated_cost": kept("final state of the run"),
      "metrics.accumulated_token_usage": kept("final state of the run"),
      "metrics.response_latencies": kept("start of each call"),
      "metrics.costs": lost("the sum is kept"),
      "metrics.token_usages": lost("each answer has its own"),
    },
    event: {
      id: kept("what a cause points to"),
      timestamp: kept("time, as UTC"),
      source: kept("who it comes from"),
      action: kept("what was done"),
      observation: kept("what it led to"),
      cause: kept("which action a result is of, where no call id tells it"),
      content: kept("result, or what was said"),
      message: kept("what was said, where there is no content"),
      "args.content": kept("what was said; system instructions"),
      "args.tools": kept("tool definitions"),
      "args.thought": kept("the answer's words, where the model's answer is not there"),
      "args.*": kept("arguments of the tool call, where the model's answer is not there"),
      "tool_call_metadata.tool_call_id": kept("tool call"),
      "tool_call_metadata.function_name": lost("the model's answer has it"),
      "tool_call_metadata.total_calls_in_response": lost("the model's answer has them"),
      "tool_call_metadata.model_response": kept(
        "the call of the model, once for each id, with its tokens",
      ),
      extras: kept("what was recalled, and exit codes; else the result has its words"),
      success: kept("whether the tool failed"),
      exit_code: kept("whether the tool failed"),
      llm_metrics: lost("sums so far; each answer has its own"),
      tool_call_id: lost("the metadata has it"),
      // Versions of 2024: what an action takes stands in the event.
      thought: kept("the answer's words"),
      command: kept("arguments of the tool call"),
      code: kept("arguments of the tool call"),
      keep_prompt: kept("arguments of the tool call"),
      kernel_init_code: kept("arguments of the tool call"),
      outputs: kept("arguments of the tool call"),
      images_urls: lost("pictures are not in the file"),
      wait_for_response: lost("whether a turn ends, the order tells"),
      is_confirmed: lost("no place for it"),
      action_risk: lost("no place for it"),
      command_id: lost("a number of the shell"),
    },
  },
  impossible: {
    "which messages a call was given": "what was said and seen since the call before",
    "the provider": "only the model's name",
    "sub-agents' own sessions": "what a delegate did stands among the other events",
  },
};

function* partsOfInstance(instance: PlainObject): Generator<LossPart> {
  const { history, trajectory } = instance;
  yield ["instance", instance];
  for (const event of listOf(history ?? trajectory).flat()) yield ["event", event];
}
