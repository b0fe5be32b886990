import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT } from "../architecture/packages.ts";
import { startJaeger } from "./jaeger.ts";
import { startPhoenix } from "./phoenix.ts";
import { startTempo } from "./tempo.ts";
import { askJaeger, askPhoenix, askTempo, whatSurvives } from "./what-survives.ts";

const page = await readFile(join(ROOT, "docs", "backends.md"), "utf8");

test("docs/backends.md says what Jaeger keeps", async () => {
  await using jaeger = await startJaeger();
  const asked = askJaeger(jaeger.otlpEndpoint, jaeger.queryEndpoint);
  expect(page).toContain(await whatSurvives("Jaeger", asked));
}, 180_000);

test("docs/backends.md says what Tempo keeps, with and without the setting", async () => {
  await using set = await startTempo();
  const asked = askTempo(set.otlpEndpoint, set.queryEndpoint);
  expect(page).toContain(await whatSurvives("Tempo, `max_attribute_bytes` set", asked));
  await using asItComes = await startTempo({ TEMPO_MAX_ATTRIBUTE_BYTES: "2048" });
  const unset = askTempo(asItComes.otlpEndpoint, asItComes.queryEndpoint);
  expect(page).toContain(await whatSurvives("Tempo", unset));
}, 300_000);

test("docs/backends.md says what Phoenix keeps", async () => {
  await using phoenix = await startPhoenix();
  expect(page).toContain(await whatSurvives("Phoenix", askPhoenix(phoenix.url)));
}, 480_000);
