/**
 * Draws a `.d2` file for a page of the docs, as D2 does, without tooltips: `pnpm draw SESSION.d2 PICTURE.svg`. The picture
 * keeps what it was drawn of, so that a test can tell whether it is still what the example leaves.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { D2 } from "@terrastruct/d2";

const [, , source, picture] = process.argv;
if (source === undefined || picture === undefined) {
  console.error("usage: pnpm draw SESSION.d2 PICTURE.svg");
  process.exit(2);
}

const text = readFileSync(source, "utf8").replaceAll(/^ *tooltip: .*\n/gm, "");
const d2 = new D2();
const { diagram, renderOptions } = await d2.compile(text, { layout: "elk" });
const svg = await d2.render(diagram, renderOptions);
const kept = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
writeFileSync(
  picture,
  svg.replace(/<\/svg>\s*$/, () => `<metadata>${kept}</metadata></svg>\n`),
);
// D2 keeps a worker that would keep the process.
process.exit(0);
