import { NEXT_TO_FLAG, NO_VARIABLE } from "./secret-families.ts";

const FLAG = "(?:-[a-zA-Z]{0,8}[uU]|--(?:proxy-)?user)";
const QUOTE = String.raw`\\{0,3}["']`;
const NAME = String.raw`(?!-|https?:)[^\s:"'$=]{0,64}:`;
const NO_PASSWORD = String.raw`(?!//|\[redacted: )${NO_VARIABLE}`;

/** The word behind which curl takes a name and a password. */
export const USER_FLAG: RegExp = new RegExp(`^${FLAG}$`);
/** Such a name, which stays, and its password. */
export const USER_AND_PASSWORD: RegExp = new RegExp(`^(${NAME})${NO_PASSWORD}.{3,}$`, "s");

/** A command begins, also in a list of its words. */
export const CURL: RegExp = /curl(?=[\s"'\\,])/g;
/** Characters of a command, but for those in quotes, in which a password is looked for. */
const FAR = 200;

/**
 * What a command is read by, from where the one before ended: the word curl; a quote that opens a word, looked at up to the same one with as many
 * backslashes, since what is between is read as well; what ends a command, or the list or object that it stands in, where it is not in quotes;
 * characters that say nothing.
 */
const STEP = new RegExp(
  [
    String.raw`(?<curl>curl(?=[\s"'\\,]))`,
    String.raw`(?<=[\s,=])(?=(?<open>${QUOTE})(?<quoted>(?:(?!(?<!\\)\k<open>)[^]){0,2000})\k<open>)[^]`,
    String.raw`\\\r?\n`,
    String.raw`(?<end>\n|[|;&](?=[\s|&])|["'](?=[}\]]))`,
    String.raw`(?:(?!curl)[^\s"',=\\|;&]){1,64}`,
    "[^]",
  ].join("|"),
  "y",
);

const USER = String.raw`[\s"',]${FLAG}(?:${NEXT_TO_FLAG})?`;
/** The closing quote. */
const CLOSED = String.raw`(?<!\\)\k<word>\k<password>`;
/** How a single quote is written in a word in such quotes: behind the word, and the word goes on. */
const GOES_ON = String.raw`${CLOSED}(?:\\{1,4}'|\\{0,3}"'\\{0,3}")\k<word>\k<password>`;
/** Up to the quote that closes the word: the same as opens it before the name, or, where none does, the password. */
const QUOTED = new RegExp(
  String.raw`(?<name>${USER}(?:(?<word>${QUOTE})${NAME}|${NAME}(?<password>${QUOTE})(?![\s,;)}\]])))` +
    String.raw`${NO_PASSWORD}(?:(?!${CLOSED})[^\r\n]|${GOES_ON}){3,256}(?=\k<word>\k<password>)`,
  "y",
);
const PLAIN = new RegExp(
  String.raw`(?<name>${USER}(?:${QUOTE})?${NAME})${NO_PASSWORD}[^\s"'\\]{3,256}`,
  "y",
);
const REST = /[^\s"'\\]{1,4096}/y;

/** The text with every password that curl is given replaced. Each character is read a few times at most. */
export function withoutCurlPasswords(text: string): string {
  let safe = "";
  let from = 0;
  CURL.lastIndex = 0;
  while (CURL.test(text)) {
    let at = CURL.lastIndex;
    let quotedTo = at;
    for (let plain = 0; plain <= FAR && at < text.length; ) {
      const [user, name] = userAt(text, at);
      if (user > at) {
        safe += `${text.slice(from, at)}${name}[redacted: credentials]`;
        at = from = user;
        continue;
      }
      STEP.lastIndex = at;
      const { curl, open = "", quoted, end } = STEP.exec(text)?.groups ?? {};
      if (end !== undefined && at >= quotedTo) break;
      if (quoted !== undefined) quotedTo = Math.max(quotedTo, at + open.length + quoted.length);
      if (curl !== undefined) plain = 0;
      else if (at >= quotedTo) plain += STEP.lastIndex - at;
      at = STEP.lastIndex;
    }
    CURL.lastIndex = at;
  }
  return from === 0 ? text : safe + text.slice(from);
}

/** Where a password ends whose flag begins there, and what stands before it. */
function userAt(text: string, at: number): readonly [end: number, name: string] {
  if (text[at + 1] !== "-") return [at, ""];
  for (const pattern of [QUOTED, PLAIN]) {
    pattern.lastIndex = at;
    const { name } = pattern.exec(text)?.groups ?? {};
    if (name === undefined) continue;
    REST.lastIndex = pattern.lastIndex;
    let end = pattern.lastIndex;
    while (pattern === PLAIN && REST.test(text)) end = REST.lastIndex;
    return [end, name];
  }
  return [at, ""];
}
