import type { Attributes, SpanRecord } from "@thoughtflow/schema";

/** The latest calls of a session: records of their answers may still come after those of others, and the last one counts. */
export interface HeldCalls {
  /** Gives what is complete by that. */
  hold(messageId: string | undefined, call: SpanRecord): readonly SpanRecord[];
  /** A later record tells the tokens of a call; nothing where it is not held any more. */
  amend(messageId: string, usage: Attributes): void;
  /** Gives all that are held. */
  release(): readonly SpanRecord[];
}

/** Records of one answer are written in one go, but for what works beside. */
const HELD = 64;

export function createHeldCalls(): HeldCalls {
  const held: { readonly messageId: string | undefined; span: SpanRecord }[] = [];
  return {
    hold(messageId, span) {
      held.push({ messageId, span });
      return held.splice(0, held.length - HELD).map((one) => one.span);
    },
    amend(messageId, usage) {
      const call = held.find((one) => one.messageId === messageId);
      if (call === undefined) return;
      const { attributes } = call.span;
      call.span = { ...call.span, attributes: { ...attributes, ...usage } };
    },
    release: () => held.splice(0).map((one) => one.span),
  };
}
