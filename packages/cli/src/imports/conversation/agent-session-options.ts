import type { PlainObject } from "../plain-values.ts";
import type { ConversationSource } from "./conversation-spans.ts";

/** What an agent's session is made with. */
export interface AgentSessionOptions extends ConversationSource {
  /** The tools that start sub-agents. Default: none. */
  readonly spawning?: ReadonlySet<string>;
  /** What such a tool's input asks the sub-agents; `undefined` where it starts none. Default: its `prompt`. */
  readonly promptsOf?: (input: PlainObject) => readonly string[] | undefined;
  /** Whether another tool is given a script that asks for sub-agents. Default: none is. */
  readonly isScript?: (name: string, input: unknown) => boolean;
}
