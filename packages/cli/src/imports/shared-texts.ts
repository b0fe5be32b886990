import { isObject } from "./plain-values.ts";

/** Shorter ones are not worth a look. */
const LONG_CHARACTERS = 256 * 1024;

/**
 * Has each long text of a record in memory once, wherever it stands in it: what a tool gave stands in a record for the model and for
 * the program, and may have tens of megabytes.
 */
export function shareTexts(record: object): void {
  const texts: string[] = [];
  const visit = (value: object): void => {
    for (const [name, member] of Object.entries(value)) {
      if (typeof member === "string" && member.length >= LONG_CHARACTERS) {
        const same = texts.find((text) => text === member);
        if (same === undefined) texts.push(member);
        else Object.assign(value, { [name]: same });
      } else if (isObject(member) || Array.isArray(member)) visit(member);
    }
  };
  visit(record);
}
