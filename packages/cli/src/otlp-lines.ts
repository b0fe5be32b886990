import { recordsFromSession } from "@thoughtflow/assemble";
import { encodeJsonRequest, spansOfRecords } from "@thoughtflow/otlp";
import type { Renderer, RenderOptions } from "@thoughtflow/render";
import type { Session } from "@thoughtflow/schema";

/** A reader takes in a line at a time. */
const SPANS_A_LINE = 256;

/** A renderer whose output may be longer than a text can be. */
export interface LineRenderer extends Renderer {
  /** The same as `render` gives, line by line. */
  lines(session: Session, options?: RenderOptions): Iterable<string>;
}

/** A session as OTLP in JSON, a request a line, as the Collector's file exporter writes it. `import otlp` gives it back. */
export const otlpLines: LineRenderer = {
  name: "otlp",
  mediaType: "application/x-ndjson",
  fileExtension: ".otlp.jsonl",
  render: (session, options) => [...otlpLines.lines(session, options)].join(""),
  *lines(session, { run } = {}) {
    const conversations = session.conversations.filter(
      ({ conversation_id }) => run === undefined || conversation_id === run,
    );
    const records = recordsFromSession({ ...session, conversations });
    for (let at = 0; at < records.length; at += SPANS_A_LINE) {
      const spans = spansOfRecords(records.slice(at, at + SPANS_A_LINE));
      yield `${Buffer.from(encodeJsonRequest(spans)).toString()}\n`;
    }
  },
};
