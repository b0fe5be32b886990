import type { ContentAttributes, SpanRecord, StoredText } from "@thoughtflow/schema";
import { grownList, textsOf } from "@thoughtflow/schema/content-list";
import { isText, textOf } from "@thoughtflow/schema/stored-text";

/** The same records as a journal gives them when their texts stay on disk. */
export function withStoredTexts(records: readonly SpanRecord[]): SpanRecord[] {
  function stored(text: string): StoredText {
    return {
      name: `name of ${text}`,
      bytes: Buffer.byteLength(text),
      text,
      toJSON: () => text,
    };
  }

  function storedContent(value: ContentAttributes[string]): ContentAttributes[string] {
    if (isText(value)) return stored(textOf(value));
    let list: ReturnType<typeof grownList> | undefined;
    for (const text of textsOf(value)) list = grownList(list, stored(text));
    return list ?? [];
  }

  return records.map(({ content = {}, ...record }) => ({
    ...record,
    content: Object.fromEntries(
      Object.entries(content).map(([name, value]) => [name, storedContent(value)]),
    ),
  }));
}
