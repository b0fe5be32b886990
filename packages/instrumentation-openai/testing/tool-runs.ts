import type OpenAI from "openai";
import { failure } from "./notice.ts";
import { asks } from "./scripted-model.ts";

/** What `runTools` is asked with, and what its model gives to a tool. */
export type Messages = OpenAI.ChatCompletionMessageParam[];
export type Args = { readonly n: number };
type Tool = (this: unknown, args: Args, ...rest: unknown[]) => unknown;

/** What a test looks at of a runner. */
interface Runner {
  finalContent(): Promise<unknown>;
  readonly messages: unknown;
  readonly aborted: boolean;
  readonly errored: boolean;
}

export const messages: Messages = [{ role: "user", content: "Add." }];

/** A tool as `runTools` takes it, frozen to the bottom. */
export const tool = (name: string, run: Tool) =>
  Object.freeze({
    type: "function" as const,
    function: Object.freeze({
      name,
      description: "adds one",
      parameters: Object.freeze({ type: "object" }),
      parse: JSON.parse as (text: string) => Args,
      function: run as (args: Args) => Promise<unknown>,
    }),
  });

/** Everything a runner tells, without the prototypes' own. */
export const outcomeOf = async (runner: Runner) => ({
  content: await failure(runner.finalContent()),
  messages: runner.messages,
  keys: Object.keys(runner),
  own: Object.getOwnPropertyNames(runner),
  aborted: runner.aborted,
  errored: runner.errored,
});

/** A model that asks for one tool call. */
export const ONE = asks(["call_11111111", "add", '{"n":1}']);
