import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/** The packages that a module loads, itself or through its siblings; type imports load nothing. */
function packagesLoadedBy(file: URL, seen: Set<string> = new Set()): string[] {
  if (seen.has(file.href)) return [];
  seen.add(file.href);
  const imports = readFileSync(file, "utf8").matchAll(
    /^(?:import|export) (?!type)[^;]*?from "([^"]+)";/gm,
  );
  return [...imports].flatMap(([, name = ""]) =>
    name.startsWith(".") ? packagesLoadedBy(new URL(name, file), seen) : [name],
  );
}

test.each([
  "./canonical.ts",
  "./content-list.ts",
  "./document-parts.ts",
  "./preview.ts",
  "./steps.ts",
])("%s loads nothing but this package", (entry) => {
  expect(packagesLoadedBy(new URL(entry, import.meta.url))).toEqual([]);
});

test("the same search finds zod in the main entry", () => {
  expect(packagesLoadedBy(new URL("./index.ts", import.meta.url))).toContain("zod");
});
