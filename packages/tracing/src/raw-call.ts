import { ATTR_THOUGHTFLOW_REQUEST, ATTR_THOUGHTFLOW_RESPONSE } from "@thoughtflow/semconv";
import type { ModelCallContent, SpanContent } from "./content.ts";
import type { ContentTexts } from "./content-capture.ts";
import { processState } from "./process-state.ts";
import { redactionGeneration, toContentJson } from "./redaction.ts";

/** Where the parameters of a call hold its history, one item a message. */
const HISTORY_KEYS = ["messages", "input"] as const;

const remembered = processState("raw-items.v1", () => ({
  texts: new WeakMap<object, { readonly generation: number; readonly json: string }>(),
}));

/**
 * A model call's parameters as they were passed and its answer as it was parsed, redacted, what is too long for a file
 * marked in its place. The parameters are a list: `{ request, history? }`, then the items that stand in `request[history]`,
 * each made text once, however often it is sent. Nothing for other content.
 */
export function rawCallOf(content: SpanContent): ContentTexts {
  if (!("request" in content)) return {};
  const { response, aggregated } = content;
  return {
    [ATTR_THOUGHTFLOW_REQUEST]: requestTexts(content),
    ...(response !== undefined && {
      [ATTR_THOUGHTFLOW_RESPONSE]: toContentJson(
        aggregated === true ? { ...Object(response), aggregated } : response,
        ATTR_THOUGHTFLOW_RESPONSE,
      ),
    }),
  };
}

function requestTexts({ request }: ModelCallContent): readonly string[] {
  const members = Object(request) as Readonly<Record<string, unknown>>;
  const history = HISTORY_KEYS.find((key) => Array.isArray(members[key]));
  if (history === undefined) return [toContentJson({ request }, ATTR_THOUGHTFLOW_REQUEST)];
  const items = members[history] as readonly unknown[];
  // The key keeps its place among the others.
  const head = { request: { ...members, [history]: null }, history };
  return [toContentJson(head, ATTR_THOUGHTFLOW_REQUEST), ...items.map(itemText)];
}

function itemText(item: unknown): string {
  if (typeof item !== "object" || item === null)
    return toContentJson(item, ATTR_THOUGHTFLOW_REQUEST);
  const generation = redactionGeneration();
  const known = remembered.texts.get(item);
  if (known?.generation === generation) return known.json;
  const json = toContentJson(item, ATTR_THOUGHTFLOW_REQUEST);
  remembered.texts.set(item, { generation, json });
  return json;
}
