import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { toldBy } from "./backend-pictures/drawn-trace.ts";
import { backendPictures } from "./backend-pictures/pictures.ts";

test("the pictures of Jaeger and Tempo are drawn of what these answer", async () => {
  for (const [name, picture] of Object.entries(await backendPictures())) {
    const checkedIn = readFileSync(join(ROOT, "docs/pictures", `${name}.svg`), "utf8");
    expect(toldBy(checkedIn)).toEqual(toldBy(picture));
    expect(toldBy(picture).length).toBeGreaterThan(10);
  }
}, 240_000);
