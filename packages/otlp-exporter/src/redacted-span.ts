import type { Attributes, AttributeValue } from "@opentelemetry/api";
import type { ReadableSpan } from "@opentelemetry/sdk-trace-node";
import type { Redactor } from "@thoughtflow/redaction";

type Resource = ReadableSpan["resource"];

/**
 * A span as it may leave the process: every text of it redacted, as in the files. Content that is made when somebody
 * reads it is made of redacted text, and stays as it is.
 */
export function redactedSpan(span: ReadableSpan, redactor: Redactor): ReadableSpan {
  const { message } = span.status;
  return {
    name: redactor.text(span.name, "name"),
    kind: span.kind,
    spanContext: () => span.spanContext(),
    ...(span.parentSpanContext !== undefined && { parentSpanContext: span.parentSpanContext }),
    startTime: span.startTime,
    endTime: span.endTime,
    status:
      message === undefined
        ? span.status
        : { ...span.status, message: redactor.text(String(message), "status.message") },
    attributes: redactedAttributes(span.attributes, redactor),
    links: span.links.map(({ attributes = {}, ...link }) => ({
      ...link,
      attributes: redactedAttributes(attributes, redactor),
    })),
    events: span.events.map(({ name, attributes = {}, ...event }) => ({
      ...event,
      name: redactor.text(name, "event.name"),
      attributes: redactedAttributes(attributes, redactor),
    })),
    duration: span.duration,
    ended: span.ended,
    resource: redactedResource(span.resource, redactor),
    instrumentationScope: span.instrumentationScope,
    droppedAttributesCount: span.droppedAttributesCount,
    droppedEventsCount: span.droppedEventsCount,
    droppedLinksCount: span.droppedLinksCount,
  };
}

function redactedAttributes(attributes: Attributes, redactor: Redactor): Attributes {
  const read = Object.entries(Object.getOwnPropertyDescriptors(attributes));
  return Object.fromEntries(
    read.map(([name, { get, value }]) => [
      redactor.key(name),
      get === undefined ? redactedValue(value, name, redactor) : attributes[name],
    ]),
  );
}

function redactedValue(
  value: AttributeValue | undefined,
  name: string,
  redactor: Redactor,
): AttributeValue | undefined {
  if (typeof value === "string") return redactor.text(value, name);
  if (!Array.isArray(value)) return value;
  const items: readonly unknown[] = value;
  return items.map((item) =>
    typeof item === "string" ? redactor.text(item, name) : item,
  ) as AttributeValue;
}

/** One object for all spans of a resource: exporters group by it. */
const resources = new WeakMap<Resource, { redactor: Redactor; redacted: Resource }>();

function redactedResource(resource: Resource, redactor: Redactor): Resource {
  const known = resources.get(resource);
  if (known?.redactor === redactor) return known.redacted;
  const attributes = redactedAttributes(resource.attributes, redactor);
  const redacted: Resource = Object.create(resource, { attributes: { value: attributes } });
  resources.set(resource, { redactor, redacted });
  return redacted;
}
