import { badAnswers } from "./bad-answers.ts";
import { badCarriers } from "./bad-carriers.ts";
import { badDeclarations, badStepAttributes } from "./bad-declarations.ts";
import { badDirectoryEntries } from "./bad-directory-entries.ts";
import { badDocuments } from "./bad-documents.ts";
import { badIdentifiers } from "./bad-identifiers.ts";
import type { BadInput } from "./bad-input.ts";
import { badPrograms, badReadableSpans } from "./bad-programs.ts";
import {
  badAdaptationEdits,
  badDownloadNames,
  badHosts,
  badOrigins,
  badOtlpRequests,
  badPatterns,
  badQueries,
  badRanges,
  badRawRequests,
  badRequestTargets,
} from "./bad-requests.ts";
import { badSpans } from "./bad-spans.ts";
import { badEnvironments } from "./bad-surroundings.ts";
import { badTexts } from "./bad-texts.ts";
import { badValues } from "./bad-values.ts";

/** A test that gives inputs to a part of the product. */
export interface Sink {
  /** From the root of the repository. */
  readonly file: string;
  /** A part of its title. */
  readonly test: string;
}

/** Bad inputs of one form. */
export interface BadInputCorpus {
  /** What a value is. */
  readonly form: string;
  /** Absent where a test alone can express them: then `items` has their numbers. */
  readonly inputs?: readonly BadInput<unknown>[];
  readonly items?: readonly number[];
  /** What must come of each. */
  readonly outcome: string;
  /** What runs them now. */
  readonly sinks: readonly Sink[];
}

const HERE = "tests/bad-inputs.test.ts";
const REQUESTS = "packages/server/src/bad-requests.thorough.test.ts";
const POSTGRES = "packages/store/testing/postgres-suite.ts";
const SEARCH = "packages/store/testing/search-suite.ts";

/** All 175, by what they are given as. Whoever builds another sink takes those that can come to it from here. */
export const badInputCorpora: readonly BadInputCorpus[] = [
  {
    form: "the id of a session, a run or a step",
    inputs: badIdentifiers,
    outcome:
      "a file name of its own, in its place; the id as it is in the file; what is no text is no id",
    sinks: [
      { file: HERE, test: "give each a name of its own" },
      { file: HERE, test: "of sessions are kept in the file" },
      { file: "tests/faults/fuzz.test.ts", test: "hostile ids have names of their own" },
    ],
  },
  {
    form: "records of a session, as a journal has them",
    inputs: badSpans,
    outcome: "a sound session with every span in it once",
    sinks: [{ file: HERE, test: "assembled into a sound session" }],
  },
  {
    form: "what a program does with a tracer",
    inputs: badPrograms,
    outcome:
      "nothing is thrown that the SDK alone would not throw; the other steps are in a sound session",
    sinks: [{ file: HERE, test: "costs no other step" }],
  },
  {
    form: "a span as another SDK hands it to a processor",
    inputs: badReadableSpans,
    outcome: "nothing is thrown; the other steps are in a sound session",
    sinks: [{ file: HERE, test: "handed to the processor" }],
  },
  {
    form: "the attributes of a span",
    inputs: badValues(),
    outcome:
      "the step is in a sound session, with what can be said of the value; no prototype has changed",
    sinks: [
      { file: HERE, test: "values of every kind do no harm" },
      { file: "tests/faults/fuzz.test.ts", test: "hostile attributes become records" },
    ],
  },
  {
    form: "what three steps say that they rest on",
    inputs: badDeclarations,
    outcome: "three steps in a sound session; what is nobody's is a warning",
    sinks: [{ file: HERE, test: "a sound session" }],
  },
  {
    form: "the attributes of a step",
    inputs: badStepAttributes,
    outcome: "the step is in a sound session",
    sinks: [{ file: HERE, test: "attributes that say what can't be" }],
  },
  {
    form: "a document of somebody else",
    inputs: badDocuments,
    outcome: "it is read, with its problems as data; every rendering shows what can be shown",
    sinks: [{ file: HERE, test: "is read and shown" }],
  },
  {
    form: "words of people, models and tools",
    inputs: badTexts,
    outcome: "they stay words in D2, SVG, Mermaid, Markdown and the terminal",
    sinks: [{ file: HERE, test: "words that a reader could act on stay words" }],
  },
  {
    form: "what stands in a flow directory",
    inputs: badDirectoryEntries,
    outcome: "it is passed over, and nobody waits for it",
    sinks: [
      { file: HERE, test: "in place of a document is passed over" },
      { file: REQUESTS, test: "is no file of a session" },
    ],
  },
  {
    form: "headers of a request from outside",
    inputs: badCarriers,
    outcome: "they place no span in a session, and a span goes on",
    sinks: [{ file: HERE, test: "from a caller places nothing" }],
  },
  {
    form: "an answer to a chat completion",
    inputs: badAnswers,
    outcome: "the app gets what the SDK alone would give it; every span ends; the session is sound",
    sinks: [{ file: "tests/bad-answers.test.ts", test: "reaches the app as it would without us" }],
  },
  {
    form: "the environment of an app",
    inputs: badEnvironments,
    outcome: "the app ends as it would without us; at most one warning",
    sinks: [{ file: "tests/bad-environments.thorough.test.ts", test: "the app ends as it would" }],
  },
  {
    form: "a conversation that could be another",
    items: [125],
    outcome: "each conversation is a session of its own",
    sinks: [
      {
        file: "packages/workflow/src/session-inference.test.ts",
        test: "equal first words never join",
      },
      { file: "tests/setups/chat-users.thorough.test.ts", test: "keep a session each" },
      { file: "packages/assemble/src/tool-edges.test.ts", test: "calls with the same id belong" },
    ],
  },
  {
    form: "an openai that is another version, another module system, loaded before, bundled, twice",
    items: [171],
    outcome: "it is observed, or left alone with one warning",
    sinks: [
      {
        file: "packages/instrumentation-openai/src/odd-openai.test.ts",
        test: "may hold two copies",
      },
      {
        file: "packages/node/src/register.thorough.test.ts",
        test: "observes an openai that was loaded before",
      },
      { file: "tests/differential/every-kind.thorough.test.ts", test: "openai-5" },
    ],
  },
  {
    form: "a secret in a URL, a header, a query",
    items: [174],
    outcome: "it is in no file, no log and no span",
    sinks: [{ file: "tests/planted-secrets.test.ts", test: "there are 40 places" }],
  },
  {
    form: "an app's tests that replace fetch, timers or the clock",
    items: [175],
    outcome: "what they replaced stays replaced, and ours goes on",
    sinks: [
      {
        file: "packages/instrumentation-openai/src/odd-openai.test.ts",
        test: "may fake its timers",
      },
      { file: "packages/instrumentation-openai/src/odd-openai.test.ts", test: "keeps the mock" },
      { file: "packages/processor/src/run-decisions.test.ts", test: "a clock that tells no time" },
    ],
  },
  {
    form: "a request to the receiver of OTLP",
    inputs: badOtlpRequests,
    outcome: "the status that stands there; never an end of the process",
    sinks: [{ file: REQUESTS, test: "the receiver answers as it must" }],
  },
  {
    form: "a request to the server of files, as it stands on the wire",
    inputs: badRawRequests,
    outcome: "the status that stands there; never an end of the process",
    sinks: [{ file: REQUESTS, test: "a request of any form has its answer" }],
  },
  {
    form: "the target of a request",
    inputs: badRequestTargets,
    outcome: "an answer, and no file that is none of a session",
    sinks: [{ file: REQUESTS, test: "leads to no file" }],
  },
  {
    form: "the Host of a request",
    inputs: badHosts,
    outcome: "400 or 421",
    sinks: [{ file: REQUESTS, test: "is not this server" }],
  },
  {
    form: "the Origin of a request",
    inputs: badOrigins,
    outcome: "403",
    sinks: [{ file: REQUESTS, test: "gets nothing" }],
  },
  {
    form: "the Range of a request",
    inputs: badRanges,
    outcome: "the whole file",
    sinks: [{ file: REQUESTS, test: "a range gets the whole file" }],
  },
  {
    form: "the name of a session that is served",
    inputs: badDownloadNames,
    outcome: "its file, and no header of the name's own",
    sinks: [{ file: REQUESTS, test: "is served" }],
  },
  {
    form: "a pattern that steps are searched by",
    inputs: badPatterns,
    outcome: "an answer in time that grows with the text, or a clear error",
    sinks: [{ file: SEARCH, test: "the pattern of a search" }],
  },
  {
    form: "the words that steps are searched by",
    inputs: badQueries,
    outcome: "an answer, or a clear error; the database is as it was",
    sinks: [
      { file: SEARCH, test: "the words of a search" },
      { file: SEARCH, test: "ids, users and moments" },
      { file: POSTGRES, test: "somebody's SQL can't write" },
    ],
  },
  {
    form: "an edit of a prompt's adaptations",
    inputs: badAdaptationEdits,
    outcome: "refused, with a reason",
    sinks: [{ file: HERE, test: "edits of adaptations are refused" }],
  },
];
