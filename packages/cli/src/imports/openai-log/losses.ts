import { kept, type LossTable, lost } from "../loss-table.ts";

const META = "of the HTTP exchange, not of what was said";

/** What becomes of a logged exchange with an API of OpenAI. */
export const OPENAI_LOG_LOSSES: LossTable = {
  parts: (value) => [["exchange", value]],
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
      "request.body.conversation": kept("session"),
      "request.body.metadata": kept("journal: thoughtflow.request; session_id is the session"),
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
      seq: lost("the order of the lines is kept"),
      method: lost(META),
      url: kept("API, provider and host of the call, where the request has none"),
      path: kept("API of the call, where nothing else tells it"),
      stream: lost("the request says it"),
      startedAt: kept("start of the call, where the request has none"),
      timestamp: kept("start of the call, where nothing else tells it"),
      durationMs: kept("end of the call, where the answer has no time"),
      timings: lost("the whole duration is kept"),
    },
  },
  impossible: {
    "what tools did": "only what the model was told of it",
    "who asked for a sub-agent, by id": "found by the words it begins with, and then `inferred`",
    "times, where the log has none": "an answer's `created` has whole seconds; the duration is 0",
  },
};
