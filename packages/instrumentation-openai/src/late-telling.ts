import type { Attributes, AttributeValue, Link, Span } from "@opentelemetry/api";

/** What an SDK's span holds, where it holds it in plain properties. */
interface SpanData {
  attributes: Attributes;
  links: Link[];
}

/**
 * Has a span that is about to end completed before anybody reads its attributes or links, and not sooner: whatever
 * exporter looks, it finds the whole span, and the caller's path is spared what nobody looks at yet.
 *
 * @param complete is called by the first reader; may be called again
 * @returns `false`, with nothing done, for a span that holds its data otherwise: complete it before it ends
 */
export function completeWhenRead(span: Span, complete: () => void): boolean {
  if (!holdsItsData(span)) return false;
  const { attributes, links } = span;
  const value: Deferred = { span, attributes, links, complete };
  Reflect.defineProperty(span, DEFERRED, { value });
  Object.defineProperty(span, "attributes", deferred.attributes);
  Object.defineProperty(span, "links", deferred.links);
  return true;
}

/**
 * Lets a span that is about to end have attributes whose names are known, and whose values when somebody reads them.
 * A quarter of the cost of `completeWhenRead`.
 *
 * @param read is called for each look at one of them
 * @returns `false`, with nothing done, for a span that holds its data otherwise
 */
export function tellWhenRead(
  span: Span,
  names: readonly string[],
  read: (name: string) => AttributeValue | undefined,
): boolean {
  if (!holdsItsData(span)) return false;
  const { attributes } = span;
  Reflect.defineProperty(attributes, READ, { value: read });
  for (const name of names) Object.defineProperty(attributes, name, readerOf(name));
  return true;
}

/** Writes attributes on a span, also when it has ended. */
export function tellAttributes(span: Span, attributes: Attributes): void {
  if (span.isRecording() || !holdsItsData(span)) {
    span.setAttributes(attributes);
    return;
  }
  const { attributes: told } = span;
  for (const name in attributes) {
    const value = attributes[name];
    if (value !== undefined) told[name] = value;
  }
}

/** Adds links to a span, also when it has ended. */
export function tellLinks(span: Span, links: readonly Link[]): void {
  if (span.isRecording() || !holdsItsData(span)) {
    for (const link of links) span.addLink(link);
  } else {
    span.links.push(...links);
  }
}

function holdsItsData(span: Span): span is Span & SpanData {
  const { attributes, links } = span as Partial<SpanData>;
  return (
    typeof attributes === "object" &&
    Array.isArray(links) &&
    Object.hasOwn(span, "attributes") &&
    Object.hasOwn(span, "links")
  );
}

/** What is behind the accessors of a span: these are the same for all spans, which spares each of them a microsecond. */
interface Deferred extends SpanData {
  readonly span: object;
  readonly complete: () => void;
}

const DEFERRED: unique symbol = Symbol("deferred");

interface WithDeferred {
  readonly [DEFERRED]: Deferred;
}

const deferred = { attributes: accessorOf("attributes"), links: accessorOf("links") };

function accessorOf(name: keyof SpanData): PropertyDescriptor {
  return {
    enumerable: true,
    configurable: true,
    get(this: WithDeferred) {
      const { span, complete, [name]: held } = this[DEFERRED];
      // A span that somebody has frozen goes on answering by this.
      hold(span, name, held);
      complete();
      return held;
    },
    set(this: object, value: unknown) {
      assign(this, name, value);
    },
  };
}

const READ: unique symbol = Symbol("read");

interface WithRead {
  readonly [READ]: (name: string) => AttributeValue | undefined;
}

const readers = new Map<string, PropertyDescriptor>();

/** The same for all spans, which then have objects of one shape. */
function readerOf(name: string): PropertyDescriptor {
  const known = readers.get(name);
  if (known !== undefined) return known;
  const reader: PropertyDescriptor = {
    enumerable: true,
    configurable: true,
    get(this: WithRead) {
      return this[READ](name);
    },
    set(this: object, value: unknown) {
      assign(this, name, value);
    },
  };
  readers.set(name, reader);
  return reader;
}

/** On whatever it is assigned to: a copy that inherits from the owner gets a value of its own, as from any property. */
function assign(owner: object, name: string, value: unknown): void {
  if (!hold(owner, name, value))
    throw new TypeError(`Cannot assign to read only property '${name}'`);
}

function hold(owner: object, name: string, value: unknown): boolean {
  return Reflect.defineProperty(owner, name, {
    value,
    writable: true,
    enumerable: true,
    configurable: true,
  });
}
