import { recordsFromSession } from "@thoughtflow/assemble";
import { encodeJsonRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { Renderer } from "@thoughtflow/render";

/** A reader takes in a line at a time. */
const SPANS_A_LINE = 256;

/** A session as OTLP in JSON, a request a line, as the Collector's file exporter writes it. `import otlp` gives it back. */
export const otlpLines: Renderer = {
  name: "otlp",
  mediaType: "application/x-ndjson",
  fileExtension: ".otlp.jsonl",
  render: (session, { run } = {}) => {
    const conversations = session.conversations.filter(
      ({ conversation_id }) => run === undefined || conversation_id === run,
    );
    const records = recordsFromSession({ ...session, conversations });
    let lines = "";
    for (let at = 0; at < records.length; at += SPANS_A_LINE) {
      const spans = spansOfRecords(records.slice(at, at + SPANS_A_LINE));
      lines += `${Buffer.from(encodeJsonRequest(spans)).toString()}\n`;
    }
    return lines;
  },
};
