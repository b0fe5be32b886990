import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..");
const PAGES = execFileSync("git", ["ls-files", "*.md"], { cwd: ROOT, encoding: "utf8" })
  .trim()
  .split("\n");

test("every link from one page to another leads to a file, and to a heading that stands there", () => {
  const dead = PAGES.flatMap((page) =>
    linksOf(page)
      .filter((link) => !isAlive(page, link))
      .map((link) => `${page}: ${link}`),
  );
  expect(dead).toEqual([]);
});

function linksOf(page: string): readonly string[] {
  return [...prose(page).matchAll(/\]\(([^)\s]+)\)|src="([^"]+)"/g)]
    .map(([, link, source]) => link ?? source ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));
}

function isAlive(page: string, link: string): boolean {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : join(dirname(page), path);
  if (!existsSync(join(ROOT, target))) return false;
  return anchor === undefined || !target.endsWith(".md") || anchorsOf(target).includes(anchor);
}

/** As GitHub makes them of headings. */
function anchorsOf(page: string): readonly string[] {
  return [...prose(page).matchAll(/^#+ +(.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

/** A page without what stands in fences, where `[…](…)` and `#` are code. */
function prose(page: string): string {
  return readFileSync(join(ROOT, page), "utf8").replaceAll(/^```[\s\S]*?^```/gm, "");
}
