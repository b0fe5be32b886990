import { expect, it } from "vitest";
import { checkFileSize, limitIn } from "./file-size-limit.ts";

it("knows the limit that the process has, if any", () => {
  const limits = (value: string) => `Limit                     Soft Limit
Max cpu time              unlimited            unlimited            seconds
Max file size             ${value}                 unlimited            bytes
`;
  expect([limits("8192"), limits("unlimited"), ""].map(limitIn)).toEqual([
    8192,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
});

it("refuses what a file may not have, and nothing less", () => {
  checkFileSize(8192, 8192);
  expect(() => checkFileSize(8193, 8192)).toThrow(expect.objectContaining({ code: "EFBIG" }));
});
