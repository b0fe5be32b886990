import { ATTR_LANGFUSE_OBSERVATION_TYPE, ATTR_SERVICE_NAME } from "@thoughtflow/semconv";
import type { ImportFormat } from "../import-format.ts";
import {
  isObject,
  listOf,
  membersOf,
  numberOf,
  type PlainObject,
  textOf,
  valueOrText,
} from "../plain-values.ts";
import { statedCost } from "../stated-cost.ts";
import type { ExportedRun } from "./exported-run.ts";
import { exportedRuns, type RunsOfPlatform } from "./exported-runs.ts";
import { inCamelCase, isObservation, LANGFUSE_LOSSES } from "./langfuse-losses.ts";

const SDK = "langfuse-sdk";

/** Observations as Langfuse's page, its API and its exports hand them out. */
export const observations: RunsOfPlatform = {
  summary:
    "observations that Langfuse keeps, in JSON: a trace of its page or its API, or its export, one a line",
  what: "observations of Langfuse",
  isRun: isObservation,
  runOf,
  losses: LANGFUSE_LOSSES,
};

export const langfuse: ImportFormat = exportedRuns(observations);

/** Where the spans of others have what was said. */
const SAID =
  /^(?:gen_ai\.(?:prompt|completion|(?:input|output)\.messages|tool\.call\.(?:arguments|result))|llm\.(?:input|output)_messages|ai\.(?:prompt|response\.(?:text|object|toolCalls)|result\.|toolCall\.(?:args|result))|traceloop\.entity\.(?:input|output)|gcp\.vertex\.agent\.(?:llm|tool)_|(?:input|output)(?:\.value)?$|pydantic_ai\.all_messages|all_messages_events$|final_result$|events$|prompt$|tool_(?:arguments|response)$)/;

/**
 * Langfuse keeps attributes that it does not know below `metadata.attributes`; its own SDK's it has moved into members of the
 * observation, and here they move back. Newer versions have moved there what was said in spans of others, too.
 */
function runOf(given: PlainObject): ExportedRun {
  const one = inCamelCase(given);
  const {
    attributes: others,
    resourceAttributes: resource,
    scope: { name: scope },
    ...metadata
  } = metadataOf(one);
  const said = membersOf(others);
  const library = textOf(scope) ?? SDK;
  const isMoved = library === SDK || !Object.keys(said).some((name) => SAID.test(name));
  return {
    id: textOf(one["id"]) ?? "",
    traceId: textOf(one["traceId"]),
    parentId: textOf(one["parentObservationId"]),
    name: textOf(one["name"]) ?? String(one["type"]).toLowerCase(),
    start: one["startTime"],
    end: one["endTime"],
    firstToken: one["completionStartTime"],
    failure: one["level"] === "ERROR" ? { message: textOf(one["statusMessage"]) } : undefined,
    attributes: {
      ...said,
      ...(isMoved && ownAttributes(one)),
      ...besides(one, metadata),
    },
    scope: library,
    resource: { [ATTR_SERVICE_NAME]: "langfuse", ...membersOf(resource) },
  };
}

function metadataOf(one: PlainObject): PlainObject & { readonly scope: PlainObject } {
  const metadata = membersOf(valueOrText(one["metadata"]));
  return { ...metadata, scope: membersOf(metadata["scope"]) };
}

function ownAttributes(one: PlainObject): PlainObject {
  const usage = one["usageDetails"] ?? one["usage"];
  return {
    [ATTR_LANGFUSE_OBSERVATION_TYPE]: String(one["type"]).toLowerCase(),
    "langfuse.observation.input": one["input"],
    "langfuse.observation.output": one["output"],
    "langfuse.observation.model.name": one["providedModelName"] ?? one["model"],
    "langfuse.observation.usage_details":
      isObject(usage) && Object.keys(usage).length > 0 ? usage : undefined,
    "langfuse.observation.level": one["level"],
    "langfuse.observation.status_message": one["statusMessage"],
  };
}

/** What Langfuse has moved of every span, whoever sent it. */
function besides(one: PlainObject, metadata: PlainObject): PlainObject {
  const cost = membersOf(one["costDetails"])["total"];
  return {
    ...Object.fromEntries(
      Object.entries(metadata).map(([name, value]) => [
        `langfuse.observation.metadata.${name}`,
        value,
      ]),
    ),
    "langfuse.session.id": one["sessionId"],
    "langfuse.user.id": one["userId"],
    "langfuse.trace.tags": tagsOf(one),
    "langfuse.trace.name": one["traceName"],
    "langfuse.release": one["release"],
    "langfuse.version": one["version"],
    "langfuse.environment": one["environment"],
    "langfuse.observation.model.parameters": one["modelParameters"],
    "langfuse.observation.prompt.name": one["promptName"],
    "langfuse.observation.prompt.version": one["promptVersion"],
    ...statedCost(numberOf(cost ?? one["totalCost"] ?? one["calculatedTotalCost"])),
  };
}

function tagsOf({ tags }: PlainObject): readonly unknown[] | undefined {
  const told = listOf(tags).filter((tag) => textOf(tag) !== undefined);
  return told.length === 0 ? undefined : told;
}
