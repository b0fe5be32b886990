import { type ContentField, capturesAll } from "@thoughtflow/tracing/internal";
import { answers } from "./answers.mjs";
import { PLACES, placesOf, plant } from "./plants.mjs";
import { type Sinks, sinksOf } from "./sinks.ts";

/** Which kinds of content each switch lets through. */
export interface Switches {
  readonly files: readonly ContentField[] | true;
  readonly spans: readonly ContentField[] | true;
  readonly logs: readonly ContentField[] | true;
}

/** The places whose words were found, by sink. */
export type Shown = Readonly<Record<keyof Sinks, readonly string[]>>;

/** Which switch each sink is behind; what is behind none must hold nothing. */
const SWITCH_OF: Readonly<Record<keyof Sinks, keyof Switches | undefined>> = {
  json: "files",
  d2: "files",
  svg: "files",
  journal: "files",
  OTLP: "spans",
  logs: "logs",
  "other files": undefined,
  output: undefined,
};

/** Runs the app with these switches and says what could be read where. */
export async function shownWith({ files, spans, logs }: Switches): Promise<Shown> {
  process.env["PLANTS"] = "words";
  const options = {
    captureContent: files,
    captureContentOnSpans: spans,
    captureContentInLogs: logs,
  };
  const sinks = await sinksOf(answers(), { PLANTS: "words" }, options);
  const found = Object.entries(sinks).map(([name, sink]) => [
    name,
    Object.keys(PLACES).filter((place) => sink.includes(plant(place, "words").needle)),
  ]);
  return Object.fromEntries(found);
}

/**
 * What differs from what the switches say, by sink, one line a place: of all that is shown with every kind on, exactly the
 * places of the kinds that are on.
 */
export function wronglyShown(shown: Shown, everything: Shown, switches: Switches): string[] {
  return (Object.keys(SWITCH_OF) as (keyof Sinks)[]).flatMap((sink) => {
    const behind = SWITCH_OF[sink];
    const fields = behind === undefined ? [] : switches[behind];
    // What errors say may be of any kind: it is shown where all are.
    const isAll = fields === true || capturesAll(fields);
    const may = new Set(isAll ? everything[sink] : placesOf(fields));
    const leaked = shown[sink].filter((place) => !may.has(place));
    // A drawing shortens what has no room.
    const isWhole = sink !== "d2" && sink !== "svg";
    const missing = everything[sink].filter(
      (place) => isWhole && may.has(place) && !shown[sink].includes(place),
    );
    return [
      ...leaked.map((place) => `${sink} shows ${place}`),
      ...missing.map((place) => `${sink} lacks ${place}`),
    ];
  });
}
