import { kept, type LossTable, lost } from "../loss-table.ts";

/** What becomes of a trajectory of SWE-agent. */
export const SWE_AGENT_LOSSES: LossTable = {
  parts: (value) => [["trajectory", value]],
  fields: {
    trajectory: {
      environment: kept("final state of the run"),
      "info.exit_status": kept("final state and status of the run"),
      "info.submission": kept("final state of the run"),
      "info.model_stats": kept("final state of the run: sums, as the program counted"),
      "info.*": lost("parts of edited files, made for a model that reviews"),
      replay_config: kept("the model's name, and nothing else"),
      "history[].role": kept("what kind of step"),
      "history[].content": kept("what was said or seen"),
      "history[].thought": kept("the answer's words, before a command"),
      "history[].action": kept("the tool call, where there is none in `tool_calls`"),
      "history[].tool_calls": kept("tool calls"),
      "history[].tool_call_ids": kept("which call a result answers"),
      "history[].thinking_blocks": kept("thoughts"),
      "history[].is_demo": kept("no turn of a person: given to the model before"),
      "history[].agent": lost("one agent works in a trajectory"),
      "history[].message_type": lost("the role tells it"),
      "history[].demo": lost("the name of a file"),
      "history[].cache_control": lost("of the request, not of what was said"),
      "trajectory[].observation": kept("result of a call that the history doesn't answer"),
      "trajectory[].execution_time": kept("duration of the tool"),
      "trajectory[].action": kept("what the history doesn't have any more: the last action"),
      "trajectory[].response": kept("the answer's words, where there is no thought"),
      "trajectory[].thought": kept("what the history doesn't have any more: the last action"),
      "trajectory[].state": lost("the shell's prompt in the observation tells it"),
      "trajectory[].query": lost("the history has it"),
      "trajectory[].messages": lost("the history has it"),
      "trajectory[].extra_info": lost("no place for it"),
    },
  },
  impossible: {
    times: "a session begins at 1970-01-01T00:00:00Z and lasts as long as its actions took",
    "tokens and cost of each call": "only sums: in the run's final state",
    "the model's name": "only where the configuration is there",
  },
};
