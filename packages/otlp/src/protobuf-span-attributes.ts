import type { AttributeValue, StoredText } from "@thoughtflow/schema";
import { CONTENT_ATTRIBUTES } from "@thoughtflow/semconv";
import { type AttributeStep, firstStep, repeatedStep, stepTo } from "./attribute-steps.ts";
import { attributeValue, type SpanAttributes, setOwn } from "./attribute-value.ts";
import { moveTo, position, readEnd, readTag } from "./forward-reader.ts";
import { type LeaveUnread, readKeyValue } from "./protobuf-attributes.ts";

/** Where a text of a request lies, from byte to byte, as a text that is read when it is looked at. */
export type TextAt = (start: number, end: number) => StoredText;

/** Which attributes of spans are read. Default: all, at once. */
export interface AttributeOptions {
  /** What stands for texts of content above 128 bytes, by where they lie in the request. */
  readonly textAt?: TextAt;
  /** Whether the attribute of that name is read; others are passed over, and any that has more than 4 KiB. */
  readonly isWanted?: (name: string) => boolean;
}

/** Reads the attributes of the spans of one request, span by span; the last of a name stands. */
export interface SpanAttributesReader {
  /** Begins with those of another span. */
  begin(): void;
  /** The field that starts there, and whose tag was read. */
  read(start: number, end: number): void;
  /** Those of this span. */
  readonly all: SpanAttributes;
}

/** Shorter texts are read at once. */
const SHORT_TEXT = 128;
/** Bytes of those that are chosen by their names: what is counted, or tells one thing from another, is shorter. */
export const LONGEST_IN_BRIEF = 4096;

/** What a step stands for. */
interface Told {
  /** `undefined` for what is not wanted. */
  readonly value: AttributeValue | undefined;
  /** How many spans ended there. */
  spans: number;
  /** What those have in common: all attributes up to there as they came first. */
  all: Record<string, AttributeValue> | undefined;
}

type Step = AttributeStep<Told>;

export function createSpanAttributesReader({
  textAt,
  isWanted,
}: AttributeOptions): SpanAttributesReader {
  const first: Step = firstStep(toldOf(undefined));
  /** `undefined` when this span has left the tree. */
  let step: Step | undefined = first;
  /** What differs from the steps. */
  let others: [name: string, value: AttributeValue][] = [];
  let attributes: Record<string, AttributeValue> = {};
  let content: Record<string, string | StoredText> | undefined;
  let field = { start: 0, end: 0 };

  function take(name: string, value: unknown): void {
    const told = attributeValue(value);
    if (told === undefined) return;
    if (isUnwanted(name)) follow(name, undefined);
    else if (CONTENT_ATTRIBUTES.has(name)) {
      content ??= {};
      content[name] = typeof told === "string" ? told : JSON.stringify(told);
    } else follow(name, told);
  }

  function follow(name: string, value: AttributeValue | undefined): void {
    const from = step;
    step = from && stepTo(from, name, toldOf(value), field.start, field.end);
    if (step === undefined) {
      if (from !== undefined) attributes = attributesAt(from, others);
      if (value !== undefined) setOwn(attributes, name, value);
    } else if (value !== undefined && step.value.value !== value) others.push([name, value]);
  }

  function isUnwanted(name: string): boolean {
    if (isWanted === undefined) return false;
    return field.end - field.start > LONGEST_IN_BRIEF || !isWanted(name);
  }

  /** Of what is not wanted no step tells that may be there or not, as content is. */
  function isPassedOver(name: string): boolean {
    if (!isUnwanted(name)) return false;
    if (!CONTENT_ATTRIBUTES.has(name)) follow(name, undefined);
    return true;
  }

  /** An `AnyValue` that is nothing but a text, of an attribute that holds content. */
  function leftUnread(name: string, end: number, at: TextAt): boolean {
    const start = position();
    if (end - start < SHORT_TEXT || !CONTENT_ATTRIBUTES.has(name)) return false;
    const isText = readTag(end) === 10 && readEnd(end) === end;
    if (isText) {
      content ??= {};
      content[name] = at(position(), end);
    } else moveTo(start);
    return isText;
  }

  const leaveUnread: LeaveUnread = (name, end) =>
    (name !== "" && isPassedOver(name)) || (textAt !== undefined && leftUnread(name, end, textAt));

  return {
    begin() {
      step = first;
      others = [];
      content = undefined;
    },
    read(start, end) {
      const again = step && repeatedStep(step, start, end);
      if (again === undefined) {
        field = { start, end: readEnd(end) };
        readKeyValue(field.end, take, 0, leaveUnread);
      } else {
        step = again;
        moveTo(start + again.length);
      }
    },
    get all() {
      return { attributes: step === undefined ? attributes : attributesAt(step, others), content };
    },
  };
}

function toldOf(value: AttributeValue | undefined): Told {
  return { value, spans: 0, all: undefined };
}

function attributesAt(
  step: Step,
  others: readonly (readonly [name: string, value: AttributeValue])[],
): Record<string, AttributeValue> {
  const { value: told } = step;
  told.spans += 1;
  // Copied once more, it is an object of the kind that is copied fast.
  if (told.spans === 2) told.all = { ...attributesUpTo(step) };
  const attributes = told.all === undefined ? attributesUpTo(step) : { ...told.all };
  for (const [name, value] of others) setOwn(attributes, name, value);
  return attributes;
}

function attributesUpTo({ before, name, value: told }: Step): Record<string, AttributeValue> {
  const attributes = before === undefined ? {} : attributesUpTo(before);
  if (told.value !== undefined) setOwn(attributes, name, told.value);
  return attributes;
}
