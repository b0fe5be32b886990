import { type BadInput, item } from "./bad-input.ts";

/** Ids as a program, a user or a model may give them. Those that are no text come as what they are. */
export const badIdentifiers: readonly BadInput<unknown>[] = [
  ...item(1, "a way up", "../../etc/passwd", "a/../../b"),
  ...item(2, "a way up on Windows", "..\\..\\x"),
  ...item(3, "an absolute path", "/abs/path"),
  ...item(4, "a drive or a share", "C:\\x", "C:x", "\\\\host\\share", "//host/x"),
  ...item(5, "the directory above", ".."),
  ...item(6, "the directory itself", "."),
  ...item(7, "nothing", ""),
  ...item(8, "only spaces", " ", "\t \t"),
  ...item(9, "a zero", "a\0b"),
  ...item(10, "percent signs", "%2e%2e%2f"),
  ...item(11, "percent signs twice", "%252e%252e%252f"),
  ...item(12, "overlong UTF-8", "..%c0%af"),
  ...item(13, "length", "x".repeat(255), "x".repeat(256), "é".repeat(4096), "x".repeat(1_000_000)),
  ...item(14, "a device", "CON", "prn", "AUX", "NUL", "COM1", "LPT¹", "CONIN$", "con.json"),
  ...item(15, "a dot or a space at its end", "a.", "a "),
  ...item(16, "a stream of NTFS", "a:b", "a::$DATA"),
  ...item(17, "what Windows forbids", '<>|?*"'),
  ...item(18, "line breaks", "a\nb", "a\r\nb", "a\tb"),
  ...item(19, "an option", "-rf", "--help"),
  ...item(
    20,
    "names of our own",
    ".hidden",
    ".journal",
    ".lock",
    "index",
    "latest",
    "blobs",
    "adaptations",
  ),
  ...item(21, "upper and lower case", "SESS", "sess", "Sess"),
  ...item(22, "composed and decomposed", "\u00e9", "e\u0301"),
  ...item(23, "what looks like slashes", "\uff0e\uff0e\uff0f", "\u2215", "\u2044"),
  ...item(24, "what is not seen", "a\u202eb", "a\u200bb", "\ufeffa"),
  ...item(25, "half a character", "\ud800", "\udc00", "a\ud800b"),
  ...item(26, "emoji", "👩‍👩‍👧", "🏳️‍🌈"),
  ...item(27, "the same after cleaning", "a/b", "a_b", "a~002fb", `a_b_${"0".repeat(32)}`),
  ...item(28, "names of every object", "__proto__", "constructor", "hasOwnProperty", "toString"),
  ...item<unknown>(29, "no text", 7, null, undefined, {}, [], Symbol("id"), unreadable()),
  ...item(30, "one that changes on the way", "before", "after"),
];

function unreadable(): object {
  return {
    toString() {
      throw new Error("not to be read");
    },
  };
}
