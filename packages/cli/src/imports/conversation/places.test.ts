import { expect, test } from "vitest";
import { createPlaces, type Place, START } from "./places.ts";
import { NO_TEXTS } from "./texts-so-far.ts";

const uuid = (n: number) => `11111111-2222-4333-8444-${n.toString(16).padStart(12, "0")}`;
const place = (n: number): Place => ({
  after: (0xf000_0000_0000_0001n + BigInt(n)).toString(16),
  pending: { list: [`${n}`], count: 1 },
  turn: n,
});

test("of the latest 2,000 records it is known what was said there, of earlier ones which call came before and when", () => {
  const places = createPlaces();
  for (let n = 0; n < 5_000; n++) places.set(uuid(n), place(n));
  for (const n of [0, 1, 2_999])
    expect(places.get(uuid(n))).toEqual({ ...place(n), pending: NO_TEXTS });
  for (const n of [3_000, 4_999]) expect(places.get(uuid(n))).toEqual(place(n));
  expect(places.get(uuid(5_000))).toBeUndefined();
});

test("a place at the beginning stays one, whatever its id looks like", () => {
  const places = createPlaces();
  for (const id of [uuid(0), "msg-1"]) places.set(id, { ...START, turn: 7 });
  for (let n = 1; n <= 2_000; n++) places.set(uuid(n), place(n));
  for (const id of [uuid(0), "msg-1"]) expect(places.get(id)).toEqual({ ...START, turn: 7 });
});

test("a record that is told again stands where it was told last", () => {
  const places = createPlaces();
  places.set(uuid(0), place(0));
  for (let n = 1; n <= 2_000; n++) places.set(uuid(n), place(n));
  places.set(uuid(0), place(9));
  expect(places.get(uuid(0))).toEqual(place(9));
});

test("what is over is forgotten", () => {
  const places = createPlaces();
  for (let n = 0; n <= 2_000; n++) places.set(uuid(n), place(n));
  places.clear();
  for (const n of [0, 2_000]) expect(places.get(uuid(n))).toBeUndefined();
});
