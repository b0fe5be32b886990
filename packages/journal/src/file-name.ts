import { createHash } from "node:crypto";

/** Longer names are cut and carry a hash. With the longest mark and extension a file name stays below 200 bytes. */
const MAX_LENGTH = 100;
const KEPT_OF_LONG = 60;

/** Names that Windows gives to devices, and those of this directory's own. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|blobs|adaptations|latest)$/i;

/**
 * The file name, without extension, of a session or run. Total, pure and injective, also where the file system
 * takes upper for lower case or normalises Unicode: no two ids share a name, and none leaves its directory.
 *
 * Letters, digits, `_` and `-` stay; every other UTF-16 unit becomes `~` and four hex digits; `~u` and a bit mask
 * say which letters are upper case; a long id is cut and ends in `~h` and half of its SHA-256. The id itself stands
 * in the file.
 */
export function fileNameOf(id: string): string {
  if (id === "") return "~empty";
  const name = escaped(id);
  if (name.length <= MAX_LENGTH) return name + upperCaseMark(name);
  // Units, not UTF-8, in which all lone surrogates are one.
  const hash = createHash("sha256").update(Buffer.from(id, "utf16le")).digest("hex");
  return `${name.slice(0, KEPT_OF_LONG)}~h${hash.slice(0, 32)}`;
}

function escaped(id: string): string {
  const units = id.length > MAX_LENGTH ? id.slice(0, MAX_LENGTH + 1) : id;
  const name = units.replace(/[^A-Za-z0-9_-]/g, escapedUnit);
  // A leading hyphen would be an option to many programs.
  return name.startsWith("-") || RESERVED.test(name)
    ? escapedUnit(name.slice(0, 1)) + name.slice(1)
    : name;
}

function escapedUnit(unit: string): string {
  return `~${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** One bit for each letter, in groups of four, the first letter lowest. */
function upperCaseMark(name: string): string {
  const letters = name.replace(/~[0-9a-f]{4}|[^A-Za-z]/g, "");
  if (letters === letters.toLowerCase()) return "";
  let mask = "";
  for (let start = 0; start < letters.length; start += 4) {
    let bits = 0;
    for (const [index, letter] of [...letters.slice(start, start + 4)].entries()) {
      if (letter < "a") bits |= 1 << index;
    }
    mask += bits.toString(16);
  }
  return `~u${mask}`;
}
