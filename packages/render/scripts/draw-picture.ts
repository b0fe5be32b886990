/** Draws a `.d2` file for a page of the docs, as D2 does, without tooltips: `pnpm draw SESSION.d2 PICTURE.svg`. */
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
writeFileSync(picture, await d2.render(diagram, renderOptions));
// D2 keeps a worker that would keep the process.
process.exit(0);
