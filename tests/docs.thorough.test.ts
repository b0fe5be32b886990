import { test } from "vitest";
import { expectWhatPageSays } from "./docs/expect-what-page-says.ts";
import { examples } from "./docs/pages.ts";

test.for(examples.filter(({ page }) => page !== "README.md"))(
  "$page: $name prints what the page says",
  expectWhatPageSays,
);
