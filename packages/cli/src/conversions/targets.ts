import { type Renderer, renderers } from "@thoughtflow/render";
import { thoughtboxFromSession } from "@thoughtflow/thoughts/thoughtbox";
import { atif } from "../atif/atif.ts";
import { otlpLines } from "../otlp-lines.ts";

/** The thoughts of a session in the format of Thoughtbox. */
const thoughtbox: Renderer = {
  name: "thoughtbox",
  mediaType: "application/json",
  fileExtension: ".thoughtbox.json",
  render: (session, { run } = {}) => {
    const conversations = session.conversations.filter(
      ({ conversation_id }) => run === undefined || conversation_id === run,
    );
    return `${JSON.stringify(thoughtboxFromSession({ ...session, conversations }), null, 2)}\n`;
  },
};

/** What a session can become, by the name that `--to` takes. */
export const TARGETS = {
  d2: renderers.d2,
  svg: renderers.svg,
  gantt: renderers.gantt,
  mermaid: renderers.mermaid,
  markdown: renderers.markdown,
  dot: renderers.dot,
  graphml: renderers.graphml,
  perfetto: renderers.perfetto,
  csv: renderers.csv,
  thoughtbox,
  otlp: otlpLines,
  atif,
} satisfies Readonly<Record<string, Renderer>>;

export type TargetName = keyof typeof TARGETS;
