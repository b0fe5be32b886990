import { expect } from "vitest";

// A list that was read back shares its beginning with others. To a test it is the texts that were written.
expect.addEqualityTesters([
  function (a, b) {
    const [list, texts] = Array.isArray(a) ? [b, a] : [a, b];
    const isShared = typeof list === "object" && list !== null && "last" in list;
    if (!isShared || !Array.isArray(texts)) return undefined;
    return this.equals(JSON.parse(JSON.stringify(list)), texts);
  },
]);
