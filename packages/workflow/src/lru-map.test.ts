import { expect, test } from "vitest";
import { LruMap } from "./lru-map.ts";

test("what is touched stays, what is not goes, and there is never more than the limit", () => {
  const map = new LruMap<number, string>(100);
  map.set(-1, "touched");
  for (let n = 0; n < 1_000; n++) {
    map.set(n, String(n));
    if (n % 40 === 0) expect(map.get(-1)).toBe("touched");
  }
  const kept = Array.from({ length: 1_000 }, (_, n) => map.get(n)).filter(
    (value) => value !== undefined,
  );
  expect(kept.length).toBeLessThanOrEqual(100);
  expect(map.get(0)).toBeUndefined();
  expect(map.get(999)).toBe("999");
  map.clear();
  expect(map.isEmpty).toBe(true);
});
