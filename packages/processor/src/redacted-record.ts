import { defaultRedactor, type Redactor } from "@thoughtflow/redaction";
import type {
  Attributes,
  AttributeValue,
  ContentAttributes,
  SpanRecord,
} from "@thoughtflow/schema";
import { jsonOfContent } from "@thoughtflow/schema/content-list";

/**
 * Masks every text of records of somebody else's spans: names, attributes, content, errors, events, links, scope, resource. A resource that records share is
 * masked once.
 */
export function createRecordRedaction(
  redactor: Redactor = defaultRedactor,
): (record: SpanRecord) => SpanRecord {
  const attributesOf = (attributes: Attributes) => redactedAttributes(attributes, redactor);
  const resources = new Map<Attributes, Attributes>();

  function resourceOf({ resource }: SpanRecord): Attributes {
    const redacted = resources.get(resource) ?? attributesOf(resource);
    resources.set(resource, redacted);
    return redacted;
  }

  return (record) => {
    const { status, content, scope } = record;
    return {
      ...record,
      name: redactor.text(record.name, "name"),
      status: {
        ...status,
        ...(status.message !== undefined && {
          message: redactor.text(status.message, "status.message"),
        }),
      },
      attributes: attributesOf(record.attributes),
      ...(content !== undefined && { content: redactedContent(content, redactor) }),
      events: record.events.map((event) => ({
        ...event,
        name: redactor.text(event.name, "event.name"),
        attributes: attributesOf(event.attributes),
      })),
      links: record.links.map((link) => ({ ...link, attributes: attributesOf(link.attributes) })),
      scope: {
        name: redactor.text(scope.name, "scope.name"),
        ...(scope.version !== undefined && {
          version: redactor.text(scope.version, "scope.version"),
        }),
      },
      resource: resourceOf(record),
    };
  };
}

function redactedAttributes(attributes: Attributes, redactor: Redactor): Attributes {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      redactor.key(name),
      redactedValue(value, name, redactor),
    ]),
  );
}

function redactedValue(value: AttributeValue, name: string, redactor: Redactor): AttributeValue {
  if (typeof value === "string") return redactor.text(value, name);
  if (!Array.isArray(value)) return value;
  return value.map((item) =>
    typeof item === "string" ? redactor.text(item, name) : item,
  ) as AttributeValue;
}

/** Inside of JSON text by text, so that what is masked stays JSON. */
function redactedContent(content: ContentAttributes, redactor: Redactor): ContentAttributes {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => {
      const text = jsonOfContent(value);
      try {
        return [name, JSON.stringify(redactor.value(JSON.parse(text), name)) ?? "null"];
      } catch {
        return [name, redactor.text(text, name)];
      }
    }),
  );
}
