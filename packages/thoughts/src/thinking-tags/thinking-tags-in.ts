import type { TagAttributes } from "./thinking-tag.ts";
import { createThinkingTagParser } from "./thinking-tag-parser.ts";

/** One thought that stood in a text. */
export interface TaggedThought {
  readonly attributes: TagAttributes;
  /** What stood between the tags; empty where the tag closed itself. */
  readonly text: string;
}

/** The thoughts in a whole text, in order. */
export function thinkingTagsIn(text: string): readonly TaggedThought[] {
  if (!text.includes("<think")) return [];
  const thoughts: { attributes: TagAttributes; text: string }[] = [];
  const parser = createThinkingTagParser({
    open(attributes) {
      thoughts.push({ attributes, text: "" });
    },
    text(piece) {
      const last = thoughts.at(-1);
      if (last !== undefined) last.text += piece;
    },
    close() {},
  });
  parser.write(text);
  parser.end();
  return thoughts;
}
