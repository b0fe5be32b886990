import { kept, type LossTable, lost, missed } from "../loss-table.ts";
import { membersOf } from "../plain-values.ts";
import { exchangesIn } from "../requests/log-lines.ts";
import { writerOf } from "./known-logs.ts";
import { plainSpendRow } from "./litellm-logs.ts";
import { withBodies } from "./recognise.ts";

const META = "of the HTTP exchange, not of what was said";

/** What becomes of a logged exchange with an API of OpenAI. */
export const OPENAI_LOG_LOSSES: LossTable = {
  parts: (value) =>
    exchangesIn(value)
      .map(membersOf)
      .map((one) => {
        const writer = writerOf(one);
        if (writer === undefined) return ["exchange", withBodies(one)];
        return [writer, writer === "spend" ? plainSpendRow(one) : one];
      }),
  fields: {
    exchange: {
      "request.timestamp": kept("start of the call"),
      "request.method": lost(META),
      "request.url": kept("API, provider and host of the call"),
      "request.path": kept("API of the call, where there is no url"),
      "request.headers": lost(META),
      "request.body.model": kept("model of the call"),
      "request.body.messages": kept("messages of the call, each once"),
      "request.body.input": kept("messages of the call, each once"),
      "request.body.instructions": kept("system instructions"),
      "request.body.tools": kept("tool definitions"),
      "request.body.temperature": kept("parameter of the call"),
      "request.body.previous_response_id": kept("the call that this one goes on from"),
      "request.body.conversation": kept(
        "the agent that the call is of; session, where nobody asked for that agent and no session is named",
      ),
      "request.body.metadata": kept(
        "journal: thoughtflow.request; session_id is the session; the id of a tool call or an answer tells who asked for an agent",
      ),
      "request.body.client_metadata": kept(
        "journal: thoughtflow.request; session, agent and turn, as Codex names them",
      ),
      "request.body.*": kept(
        "journal: thoughtflow.request; parameters that the conventions name are in the call",
      ),
      "response.timestamp": kept("end of the call"),
      "response.status": kept("error of the call, from 400 on"),
      "response.status_code": kept("error of the call, from 400 on"),
      "response.statusText": lost(META),
      "response.headers": lost(META),
      "response.contentType": lost(META),
      "response.body": kept("answer, usage, finish reasons; a stream as what it adds up to"),
      "response.body_raw": kept("answer, usage, finish reasons; a stream as what it adds up to"),
      "response.sse_events": kept("the same, where the answer has no body"),
      seq: lost("the order of the lines is kept"),
      method: lost(META),
      url: kept("API, provider and host of the call, where the request has none"),
      path: kept("API of the call, where nothing else tells it"),
      stream: lost("the request says it"),
      startedAt: kept("start of the call, where the request has none"),
      timestamp: kept("start of the call, where nothing else tells it"),
      durationMs: kept("end of the call, where the answer has no time"),
      duration_ms: kept("the same; what claude-tap logs began so long before its time"),
      transport: lost(META),
      capture: lost(META),
      "response.error": kept("error of the call, where nothing came back"),
      request_id: lost("the answer's id is kept"),
      turn: lost("the order of the lines is kept"),
      upstream_base_url: kept("host of the call"),
      timings: lost("the whole duration is kept"),
    },
    litellm: {
      call_type: kept("API of the call"),
      api_base: kept("journal: host of the call"),
      custom_llm_provider: kept("journal: provider of the call"),
      model: kept("model of the call"),
      model_parameters: kept("parameters of the call, tool definitions"),
      messages: kept("messages of the call, each once"),
      response: kept("answer, usage, finish reasons"),
      response_cost: kept("what the call cost, as the program says"),
      startTime: kept("start of the call"),
      endTime: kept("end of the call"),
      session_id: kept("session"),
      status: kept("whether the call failed"),
      error_str: kept("error of the call"),
      "error_information.error_class": kept("error of the call"),
      "error_information.error_code": kept("error of the call, where it has no class"),
      "error_information.*": lost("of the program"),
      "*": lost("of the program"),
    },
    spend: {
      request_id: kept("id of the answer, where only its tokens are told"),
      call_type: kept("API of the call"),
      api_base: kept("journal: host of the call"),
      custom_llm_provider: kept("journal: provider of the call"),
      model: kept("model of the call, where the request names none"),
      proxy_server_request: kept("messages, tools and parameters of the call"),
      response: kept("answer, usage, finish reasons"),
      prompt_tokens: kept("tokens of the call, where there is no answer"),
      completion_tokens: kept("tokens of the call, where there is no answer"),
      spend: kept("what the call cost, as the program says"),
      startTime: kept("start of the call"),
      endTime: kept("end of the call"),
      session_id: kept("session"),
      status: kept("whether the call failed"),
      "metadata.status": kept("whether the call failed, where the row does not say it"),
      "metadata.error_information.error_class": kept("error of the call"),
      "metadata.error_information.error_code": kept("error of the call, where it has no class"),
      "metadata.error_information.error_message": kept("error of the call"),
      "metadata.error_information.*": lost("of the program"),
      "metadata.*": lost("of the program"),
      "*": lost("of the program"),
    },
    helicone: {
      request_path: kept("API, provider and host of the call"),
      request_created_at: kept("start of the call"),
      request_body: kept("messages, tools and parameters of the call"),
      response_created_at: kept("end of the call"),
      response_status: kept("error of the call, from 400 on"),
      response_body: kept("answer, usage, finish reasons"),
      "request_properties.Helicone-Session-Id": kept("session"),
      "request_properties.*": missed("no place for it"),
      "properties.Helicone-Session-Id": kept("session"),
      "properties.*": missed("no place for it"),
      costUSD: kept("what the call cost, as the program says"),
      cost: kept("what the call cost, as the program says, where there is no `costUSD`"),
      "*": lost("of the program"),
    },
    batch: {
      custom_id: lost("the answer's id is kept"),
      id: lost("the answer's id is kept"),
      method: lost(META),
      url: kept("API of the call"),
      body: kept("messages, tools and parameters of the call"),
      "response.status_code": kept("error of the call, from 400 on"),
      "response.request_id": lost("the answer's id is kept"),
      "response.body": kept("answer, usage, finish reasons"),
      error: kept("error of the call, where nothing came back"),
    },
    har: {
      startedDateTime: kept("start of the call"),
      time: kept("end of the call"),
      "request.method": kept("call: what sends nothing is none"),
      "request.url": kept("API, provider and host of the call"),
      "request.postData.text": kept("messages, tools and parameters of the call"),
      "request.postData.*": lost(META),
      "request.*": lost(META),
      "response.status": kept("error of the call, from 400 on"),
      "response.content.text": kept(
        "answer, usage, finish reasons; a stream as what it adds up to",
      ),
      "response.content.encoding": kept("answer: how its text is to be read"),
      "response.content.mimeType": kept("answer: how its text is to be read"),
      "response.content.*": lost(META),
      "response.*": lost(META),
      "*": lost(META),
    },
  },
  impossible: {
    "what tools did": "only what the model was told of it",
    "who asked for a sub-agent, by id":
      "found by the words it begins with, and then `inferred`; where an agent has a `conversation` of its own, also by ids in `metadata` and in tool calls; of Codex by the names that it gives agents",
    "times, where the log has none": "an answer's `created` has whole seconds; the duration is 0",
  },
};
