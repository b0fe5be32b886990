import { expect, test } from "vitest";
import { createByteRoom } from "./byte-room.ts";

test("so many bytes are inside at once, in the order in which they came, and what is larger comes in alone", async () => {
  const room = createByteRoom(10);
  const entered: number[] = [];
  const enter = (bytes: number) => void room.enter(bytes).then(() => entered.push(bytes));
  for (const bytes of [6, 4, 5, 1, 30, 2]) enter(bytes);
  const told = async () => {
    await new Promise(setImmediate);
    return entered.splice(0);
  };
  expect(await told()).toEqual([6, 4]);
  room.leave(4);
  expect(await told()).toEqual([]);
  room.leave(6);
  expect(await told()).toEqual([5, 1]);
  room.leave(5);
  expect(await told()).toEqual([]);
  room.leave(1);
  expect(await told()).toEqual([30]);
  room.leave(30);
  expect(await told()).toEqual([2]);
});
