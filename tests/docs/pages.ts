import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type DocExample, examplesIn } from "./examples-in.ts";

const ROOT = join(import.meta.dirname, "../..");

/** The pages for users, as paths from the top of the repository: the README, `docs/`, and the packages' READMEs. */
export const pages: readonly string[] = [
  "README.md",
  ...readdirSync(join(ROOT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
  ...readdirSync(join(ROOT, "packages"))
    .map((name) => `packages/${name}/README.md`)
    .filter((page) => existsSync(join(ROOT, page))),
];

/** All their examples. */
export const examples: readonly DocExample[] = pages.flatMap((page) =>
  examplesIn(page, readFileSync(join(ROOT, page), "utf8")),
);
