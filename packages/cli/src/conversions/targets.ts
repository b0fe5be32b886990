import { type Renderer, type RendererName, renderers } from "@thoughtflow/render";
import { thoughtboxFromSession } from "@thoughtflow/thoughts/thoughtbox";
import { atif } from "../atif/atif.ts";
import { type LineRenderer, otlpLines } from "../otlp-lines.ts";

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

/** What is made for a terminal alone; `show` draws it. */
type ForTerminals = "tree" | "thread" | "model";

/** The names that `--to` takes. */
export type TargetName = Exclude<RendererName, ForTerminals> | "thoughtbox" | "otlp" | "atif";

/** What a session can become. */
export const TARGETS: Readonly<Record<TargetName, Renderer | LineRenderer>> = {
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
};
