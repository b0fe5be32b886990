import type { AttributeValue } from "@thoughtflow/schema";
import { itemsOf, propertiesOf, textOf } from "../unknown-values.ts";
import { answersIn, messagesIn } from "./messages-in.ts";
import { providerName } from "./provider-name.ts";
import type { Reader } from "./reader.ts";
import { SPAN_STATUS, type SpanRow } from "./span-dialect.ts";

/** A row that takes the first of these attributes that its reader understands. */
export function row(
  to: string,
  reader: Reader,
  from: string | readonly string[],
  when?: readonly string[],
): SpanRow {
  const names = typeof from === "string" ? [from] : from;
  return {
    to,
    from: names,
    as: reader.as,
    ...(reader.isList && { isList: true }),
    ...(reader.isPart && { isPart: true }),
    ...(when !== undefined && { when }),
    ...(reader.fits !== undefined && { fits: reader.fits }),
    read(span) {
      for (const name of names) {
        const value = reader.read(span, name);
        if (value !== undefined) return value;
      }
      return undefined;
    },
  };
}

/**
 * A row whose value is the sum of what these attributes count; absent when the first is.
 *
 * @param told by an attribute the one that has its count once the span was read
 */
export function sumRow(
  to: string,
  from: readonly string[],
  told: Readonly<Record<string, string>> = {},
): SpanRow {
  return {
    to,
    from: [...from, ...Object.values(told)],
    as: "tokens, added up",
    read(span) {
      const counts = from.map(
        (name) => countOf(span.get(told[name] ?? name)) ?? countOf(span.get(name)),
      );
      return counts[0] === undefined
        ? undefined
        : counts.reduce<number>((sum, n = 0) => sum + n, 0);
    },
  };
}

export const text: Reader = {
  as: "text",
  read: (span, name) => span.text(name),
  fits: (value) => typeof value === "string" && value !== "",
};

/** A text that is written as JSON: in quotes. */
export const quotedText: Reader = {
  as: "text in quotes",
  read: (span, attribute) => textOf(span.value(attribute)),
};

/** The span's own name, whatever the attribute. */
export const spanName: Reader = {
  as: "the span's name",
  read: ({ record }) => record.name || undefined,
};

/** A text that is not the word for nothing. */
export const name: Reader = {
  as: "text",
  read(span, attribute) {
    const value = span.text(attribute);
    return value === "null" || value === "None" ? undefined : value;
  },
};

/** A response's id where a conversation's belongs: Microsoft's agents name the answer before there. */
export const responseId: Reader = {
  as: "text that is a response's id",
  read(span, attribute) {
    const value = span.text(attribute);
    return value !== undefined && isResponseId(value) ? value : undefined;
  },
  fits: (value) => typeof value === "string" && isResponseId(value),
};

/** Whether it is an id that OpenAI gives to a response, which is no conversation's. */
export function isResponseId(id: string): boolean {
  return id.startsWith("resp_");
}

export const number: Reader = {
  as: "number",
  read: (span, attribute) => numberOf(span.get(attribute)),
  fits: (value) => numberOf(value) === value,
};

export const tokens: Reader = {
  as: "tokens",
  read: (span, attribute) => countOf(span.get(attribute)),
  fits: (value) => countOf(value) === value,
};

export const secondsOfMilliseconds: Reader = {
  as: "milliseconds → seconds",
  read(span, attribute) {
    const value = numberOf(span.get(attribute));
    return value === undefined ? undefined : value / 1000;
  },
};

/** Frameworks that give their own name where that of who answered belongs. */
const NO_PROVIDERS: ReadonlySet<unknown> = new Set(["strands-agents"]);

export const provider: Reader = {
  as: "provider, in today's spelling; not a framework's own name",
  read(span, attribute) {
    const value = span.text(attribute);
    if (NO_PROVIDERS.has(value)) span.said([attribute]);
    return value === undefined || NO_PROVIDERS.has(value) ? undefined : providerName(value);
  },
  fits: (value) =>
    typeof value === "string" &&
    value !== "" &&
    !NO_PROVIDERS.has(value) &&
    providerName(value) === value,
};

/** A row that says that a span failed, where an attribute has that value, and why: what the other attribute says. */
export function failureRow(from: string, value: string, reason: string): SpanRow {
  return {
    to: SPAN_STATUS,
    from: [from, reason],
    as: `failed where it is \`${value}\`, for the reason that follows`,
    read: (span) => (String(span.get(from)) === value ? (span.text(reason) ?? "") : undefined),
  };
}

/** The provider in a model's name, and the model: `openai/gpt-4o-mini`. */
export const providerInName: Reader = {
  as: "what stands before the slash, in today's spelling",
  isPart: true,
  read(span, attribute) {
    const [before, after] = slashed(span.text(attribute));
    return before === undefined || after === undefined ? undefined : providerName(before);
  },
};

export const modelInName: Reader = {
  as: "what stands after the slash",
  isPart: true,
  read(span, attribute) {
    const [before, after] = slashed(span.text(attribute));
    return after ?? before;
  },
};

function slashed(
  name: string | undefined,
): readonly [before?: string | undefined, after?: string | undefined] {
  const at = name?.indexOf("/") ?? -1;
  if (name === undefined) return [];
  const [before, after] = at === -1 ? [name] : [name.slice(0, at), name.slice(at + 1)];
  return [before || undefined, after || undefined];
}

/** A list of texts: a list, a JSON list, or one text. */
export const texts: Reader = {
  as: "list of texts",
  read(span, attribute) {
    const value = span.value(attribute);
    if (typeof value === "string") return value === "" ? undefined : [value];
    const items = itemsOf(value).filter((item) => typeof item === "string");
    return items.length > 0 ? items : undefined;
  },
};

/** Whatever it is, as JSON text: what is JSON already stays, other text becomes a JSON string. */
export const json: Reader = {
  as: "JSON",
  read(span, attribute) {
    const value = span.value(attribute);
    return value === undefined || value === "" ? undefined : JSON.stringify(value);
  },
};

/** A member of a JSON object that is a count. */
export function memberCount(...keys: readonly string[]): Reader {
  return {
    as: `tokens in its \`${keys.join("`, `")}\``,
    read(span, attribute) {
      const members = propertiesOf(span.value(attribute));
      for (const key of keys) {
        const count = countOf(members[key] as AttributeValue);
        if (count !== undefined) return count;
      }
      return undefined;
    },
  };
}

/** A count inside of a JSON object; a number stands for an item of a list. */
export function countAt(...path: readonly (string | number)[]): Reader {
  return {
    as: `tokens in its \`${path.join(".")}\``,
    isPart: true,
    read: (span, attribute) => countOf(valueAt(span.value(attribute), path)),
  };
}

/** A text inside of a JSON object; a number stands for an item of a list. */
export function textAt(...path: readonly (string | number)[]): Reader {
  return {
    as: `text in its \`${path.join(".")}\``,
    isPart: true,
    read: (span, attribute) => textOf(valueAt(span.value(attribute), path)),
  };
}

/** The same, as a list of that text alone. */
export function textsAt(...path: readonly (string | number)[]): Reader {
  const { as, read } = textAt(...path);
  return {
    as,
    isPart: true,
    read(span, attribute) {
      const value = read(span, attribute);
      return typeof value === "string" ? [value] : undefined;
    },
  };
}

/** What stands inside of a JSON object, as JSON; a number stands for an item of a list. */
export function jsonAt(...path: readonly (string | number)[]): Reader {
  return {
    as: `JSON of its \`${path.join(".")}\``,
    read: (span, attribute) => JSON.stringify(valueAt(span.value(attribute), path)),
  };
}

/** What stands inside of an object, `undefined` where the path leads nowhere; a number stands for an item of a list. */
export function valueAt(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, key) => (Object.hasOwn(propertiesOf(at), key) ? propertiesOf(at)[key] : undefined),
    value,
  );
}

/** A member of a JSON object that is a text. */
export function memberText(...keys: readonly string[]): Reader {
  return {
    as: `text of its \`${keys.join("`, `")}\``,
    isPart: true,
    read(span, attribute) {
      const members = propertiesOf(span.value(attribute));
      for (const key of keys) {
        const value = members[key];
        if (typeof value === "string" && value !== "") return value;
      }
      return undefined;
    },
  };
}

/** Messages of any known shape; plain text is what `role` said. */
export function messages(role: string): Reader {
  return {
    as: `messages; plain text is the ${role}'s`,
    read(span, attribute) {
      const value = span.value(attribute);
      if (value === undefined) return undefined;
      const found = messagesIn(value, role);
      return found.length > 0 ? JSON.stringify(found) : undefined;
    },
  };
}

/** An answer of any known shape. What it is made of in pieces (Responses items) is one message; choices stay several. */
export const answer: Reader = {
  as: "messages; plain text is the assistant's",
  read(span, attribute) {
    const value = span.value(attribute);
    if (value === undefined || isPrintedObject(value)) return undefined;
    const found = answersIn(value);
    return found.length > 0 ? JSON.stringify(found) : undefined;
  },
};

/** What Python prints of an object that can't print itself, as an answer that is read piece by piece: `<groq.Stream object at 0x7f…>`. */
function isPrintedObject(value: unknown): boolean {
  return typeof value === "string" && /^<[\w.]+ object at 0x[0-9a-f]+>$/.test(value);
}

/** Makes of a value what a payload holds: `{ "<key>": value }` as JSON. */
export function payload(key: string): Reader {
  return {
    as: `JSON, as \`${key}\``,
    read(span, attribute) {
      const value = span.value(attribute);
      return value === undefined || value === "" ? undefined : JSON.stringify({ [key]: value });
    },
  };
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  const count = numberOf(value);
  return count !== undefined && Number.isSafeInteger(count) && count >= 0 ? count : undefined;
}
