// `npm run docs:backends`: draws the pictures of docs/backends.md anew, from what a real Jaeger and a real Tempo answer.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../../architecture/packages.ts";
import { backendPictures } from "./pictures.ts";

for (const [name, picture] of Object.entries(await backendPictures()))
  writeFileSync(join(ROOT, "docs/pictures", `${name}.svg`), picture);
