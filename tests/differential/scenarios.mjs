import { clients } from "./scenarios/clients.mjs";
import { contexts } from "./scenarios/contexts.mjs";
import { failures } from "./scenarios/failures.mjs";
import { functions } from "./scenarios/functions.mjs";
import { givenUpStreams } from "./scenarios/given-up-streams.mjs";
import { helpers } from "./scenarios/helpers.mjs";
import { oddAnswers } from "./scenarios/odd-answers.mjs";
import { oddStreams } from "./scenarios/odd-streams.mjs";
import { oddUses } from "./scenarios/odd-uses.mjs";
import { parameters } from "./scenarios/parameters.mjs";
import { promises } from "./scenarios/promises.mjs";
import { runners } from "./scenarios/runners.mjs";
import { streamedEvents } from "./scenarios/streamed-events.mjs";
import { streams } from "./scenarios/streams.mjs";

/**
 * The hard cases of an openai app. Each: `name`; `needs(sdk)`, false where this version has no such thing; `answers` of
 * the server, in order; `app`, which gives back what it got and `note`s what happens when; `spans`, what the observed
 * run tells of its model calls: name, outcome, error; a number where only that counts; `unreadable`, true where the
 * content of a call can't be read, which is counted as a failure of ours.
 */
export const scenarios = [
  ...promises,
  ...functions,
  ...parameters,
  ...streams,
  ...givenUpStreams,
  ...streamedEvents,
  ...helpers,
  ...runners,
  ...clients,
  ...contexts,
  ...failures,
  ...oddUses,
  ...oddStreams,
  ...oddAnswers,
];
