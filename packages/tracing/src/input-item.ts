import type { GenAiMessage } from "@thoughtflow/semconv";
import type { TextBatch } from "./kept-texts.ts";

/** One item of a model call's input as it was read, the same for every call that sends the same object. */
export interface InputItem {
  /** Another for each object that the program sends; of equal ones the parts are the same. */
  readonly message: GenAiMessage;
  readonly written: Written;
  /** What the program's object takes, about. */
  readonly bytes: number;
  /** The account in which `bytes` were counted last. */
  account: number;
}

/** What was made of an item, and of those that are equal to it. */
export interface Written {
  /** Its text, once somebody asked for it, and which redactor made it. */
  text: { readonly generation: number; readonly batch: TextBatch; readonly at: number } | undefined;
}
