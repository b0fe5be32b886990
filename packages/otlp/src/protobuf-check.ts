import { malformed, position, readEnd, readTag, skipField } from "./forward-reader.ts";
import { MOST_DEPTH } from "./protobuf-attributes.ts";

/** By field number, the messages within a message. */
type MessageKind = readonly (MessageKind | undefined)[];

const ANY_VALUE: (MessageKind | undefined)[] = [];
export const KEY_VALUE: MessageKind = [undefined, undefined, ANY_VALUE];
ANY_VALUE[5] = [undefined, ANY_VALUE];
ANY_VALUE[6] = [undefined, KEY_VALUE];
const EVENT: MessageKind = [undefined, undefined, undefined, KEY_VALUE];
const LINK: MessageKind = [undefined, undefined, undefined, undefined, KEY_VALUE];
export const SPAN: (MessageKind | undefined)[] = [];
SPAN[11] = EVENT;
SPAN[13] = LINK;
SPAN[15] = [];

/**
 * Looks whether a message holds together to its end. `depth` counts the values that this one stands in, itself included.
 *
 * @throws MalformedRequestError where it doesn't
 */
export function checkMessage(kind: MessageKind, end: number, depth: number): void {
  if (depth > MOST_DEPTH + 1) throw malformed(`values nested deeper than ${MOST_DEPTH}`);
  while (position() < end) checkField(kind, readTag(end), end, depth);
}

/** The same of a field whose tag was read. */
export function checkField(kind: MessageKind, tag: number, end: number, depth: number): void {
  const within = (tag & 7) === 2 ? kind[tag >>> 3] : undefined;
  if (within === undefined) skipField(tag, end);
  else checkMessage(within, readEnd(end), within === ANY_VALUE ? depth + 1 : depth);
}
