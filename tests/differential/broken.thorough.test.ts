import { describe, expect, test } from "vitest";
import { compare } from "./differences.ts";
import { directoryOf } from "./installed-openai.ts";
import type { Subject } from "./run-subject.ts";

/** What is broken on purpose, the scenarios that are run, and those of them that must tell. */
const BROKEN: readonly (readonly [Subject, pattern: string, telling: readonly string[]])[] = [
  [
    "chained-promise",
    "^(a promise is|asResponse leaves the body of a chat|awaited|withResponse of a chat)",
    [
      "a promise is the SDK's own, before and after it is awaited",
      "asResponse leaves the body of a chat completion to the app",
      "withResponse of a chat completion, whole and streamed",
    ],
  ],
  [
    "eager-parse",
    "^(an ignored failure is|asResponse leaves the body of a chat|awaited)",
    [
      "an ignored failure is one unhandled rejection",
      "asResponse leaves the body of a chat completion to the app",
    ],
  ],
  [
    "background-tee",
    "^(a chat stream (is the|whose)|a slow reader|awaited|break out of a chat)",
    [
      "a chat stream whose socket is cut",
      "a slow reader: nothing is read ahead",
      "break out of a chat stream gives the request up in the same tick",
    ],
  ],
  [
    "read-ahead",
    "^(a chat stream is the|a reader that|a slow reader)",
    [
      "a reader that stops: nothing is read behind its back",
      "a slow reader: nothing is read ahead",
    ],
  ],
  [
    "lost-abort",
    "^(a chat stream is the|a throw in the loop over a chat|break out of a chat)",
    [
      "a throw in the loop over a chat stream",
      "break out of a chat stream gives the request up in the same tick",
    ],
  ],
];

describe("the comparison", () => {
  test.for(BROKEN)(
    "tells of an instrumentation that is broken: %s",
    async ([subject, pattern, telling]) => {
      const target = { directory: directoryOf("openai"), kind: "mjs", pattern } as const;
      const { problems } = await compare(target, subject);
      const told = new Set(problems.map(({ scenario }) => scenario));
      expect([...told].sort()).toEqual([...telling].sort());
    },
  );
});
