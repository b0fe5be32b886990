import { resolve } from "node:path";
import { fileNameOf } from "@thoughtflow/journal";
import { createRedactor } from "@thoughtflow/redaction";
import { badIdentifiers, badValues, createRandom } from "@thoughtflow/testkit";
import { spanRecord } from "../../packages/processor/src/span-record.ts";

const HOSTILE = [..."./\\:~%\0\n -_aAzZéß😀\ud800\udc00", "..", "~u", "~h", "con", "__proto__"];

/** Ids made of hostile pieces; each must have a file name of its own, that stays in its directory. */
export function fuzzIdentifiers(count: number, seed: number): readonly string[] {
  const random = createRandom(seed);
  const known = badIdentifiers.flatMap(({ value }) => (typeof value === "string" ? [value] : []));
  const ids = new Map<string, string>();
  const problems: string[] = [];
  for (let n = 0; n < count; n++) {
    const length = Math.floor(random() ** 3 * 150);
    const pieces = Array.from({ length }, () => HOSTILE[Math.floor(random() * HOSTILE.length)]);
    const id = n < known.length ? (known[n] ?? "") : pieces.join("");
    const name = fileNameOf(id);
    const key = name.normalize("NFC").toLowerCase();
    const other = ids.get(key);
    if (other !== undefined && other !== id) problems.push(`${name} stands for two ids`);
    ids.set(key, id);
    if (resolve("/flows", `${name}.json`) !== `/flows/${name}.json` || name.length > 180) {
      problems.push(`${JSON.stringify(id)} leads to ${name}`);
    }
  }
  return problems;
}

/** Attribute sets of hostile names and values; none may throw, or reach what all objects have. */
export function fuzzAttributes(count: number, seed: number): readonly string[] {
  const random = createRandom(seed);
  const before = Reflect.ownKeys(Object.prototype).length;
  const form = { captureContent: true, captureRaw: true, redactor: createRedactor({}) };
  const values = badValues().flatMap(({ value }) =>
    Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
      ([name, { value: one }]) =>
        name.length < 100 && !(typeof one === "string" && one.length > 1e5),
    ),
  );
  const problems: string[] = [];
  for (let n = 0; n < count; n++) {
    const attributes = {};
    for (let size = Math.floor(random() * 6); size >= 0; size--) {
      const [name, descriptor] = values[Math.floor(random() * values.length)] ?? [];
      const [, other] = values[Math.floor(random() * values.length)] ?? [];
      if (name === undefined || descriptor === undefined || other === undefined) continue;
      Object.defineProperty(attributes, random() < 0.5 ? name : `a${n % 7}`, {
        ...(random() < 0.5 ? descriptor : other),
        configurable: true,
        enumerable: true,
      });
    }
    try {
      JSON.stringify(spanRecord(spanWith(attributes), "span_end", form));
    } catch (error) {
      problems.push(`${Object.keys(attributes).join(", ")}: ${String(error)}`);
    }
  }
  if (Reflect.ownKeys(Object.prototype).length !== before)
    problems.push("Object.prototype changed");
  if ("polluted" in {}) problems.push("every object is polluted");
  return problems;
}

function spanWith(attributes: object): Parameters<typeof spanRecord>[0] {
  const context = { traceId: "a".repeat(32), spanId: "b".repeat(16), traceFlags: 1 };
  return {
    spanContext: () => context,
    name: "step",
    kind: 0,
    startTime: [1, 0],
    endTime: [2, 0],
    status: { code: 0 },
    attributes,
    events: [],
    links: [],
    instrumentationScope: { name: "test" },
    resource: { attributes: {} },
  } as unknown as Parameters<typeof spanRecord>[0];
}
