import type { ImportReport } from "../import-format.ts";
import type { LoggedExchange } from "./logged-exchange.ts";

/** What tells the logs of two APIs apart. */
export interface RequestLogOptions {
  /** The format: part of every id. */
  readonly source: string;
  /** What ids of sessions begin with that nobody named. */
  readonly idPrefix: string;
  /** What wrote the log: the service name. */
  readonly service: string;
  readonly report: ImportReport;
  /** Of a session of which some was told before, and its title with that. */
  readonly sessionId: string | undefined;
  /** Whether a request of one message and without tools is what a person asks, and not something that a program asks beside. */
  readonly asksAlone: boolean;
  /** The tools by which its program starts agents, where requests name the agent that sent them. */
  readonly spawning?: ReadonlySet<string>;
  /** An agent has no name on the wire; what it is for tells which one is meant. */
  nameOf(exchange: LoggedExchange): string;
}
