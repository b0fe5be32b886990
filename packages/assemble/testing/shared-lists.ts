import type { ContentAttributes, ContentList, SpanRecord } from "@thoughtflow/schema";
import { grownList, textsOf } from "@thoughtflow/schema/content-list";
import { isText } from "@thoughtflow/schema/stored-text";

/** The same records as a journal gives them: lists that begin alike share their beginning. */
export function withSharedLists(records: readonly SpanRecord[]): SpanRecord[] {
  const known = new Map<ContentList | undefined, Map<string, ContentList>>();

  function shared(texts: readonly string[]): ContentList | readonly string[] {
    let list: ContentList | undefined;
    for (const text of texts) {
      const next: Map<string, ContentList> = known.get(list) ?? new Map();
      known.set(list, next);
      list = next.get(text) ?? grownList(list, text);
      next.set(text, list);
    }
    return list ?? [];
  }

  return records.map(({ content = {}, ...record }) => ({
    ...record,
    content: Object.fromEntries(
      Object.entries(content).map(([name, value]): [string, ContentAttributes[string]] => [
        name,
        isText(value) ? value : shared(textsOf(value)),
      ]),
    ),
  }));
}
