import type { SpanContext } from "@opentelemetry/api";
import type { Dependency } from "./dependency.ts";
import type { StepReference } from "./step-reference.ts";

/** A step that is open, or was. After its end, and where nothing is traced, all methods do nothing. */
export interface StepHandle extends StepReference {
  /** The program's own, else `s_<span id>`; empty where nothing is traced. */
  readonly id: string;
  readonly runId: string | undefined;
  readonly sessionId: string | undefined;
  readonly spanContext: SpanContext | undefined;
  /**
   * The step's result, instead of what the function returns; `undefined` keeps that to itself. Read right after
   * the end. */
  setOutput(value: unknown): void;
  /** Adds to what the step rests on. */
  dependsOn(...on: readonly Dependency[]): void;
  /** `ok`, `error`, `cancelled` or a word of the program's own. */
  setStatus(status: string, message?: string): void;
  /** Marks the step as failed without throwing. */
  recordError(error: unknown): void;
}

/** A run that is open, or was. After its end, and where nothing is traced, all methods do nothing. */
export interface RunHandle {
  /** The program's own, else `r_<span id>`; empty where nothing is traced. */
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly spanContext: SpanContext | undefined;
  /** The state the run ends with; a later call replaces an earlier one. Read right after the end. */
  setFinalState(value: unknown): void;
  /** Adds to what the run rests on; the links sit on its next step, for a root span must not have any. */
  dependsOn(...on: readonly Dependency[]): void;
  /** `completed`, `error`, `aborted` or a word of the program's own. */
  setStatus(status: string, message?: string): void;
  recordError(error: unknown): void;
}

/** How a session can end. */
export type SessionStatus = "completed" | "error" | "aborted" | "abandoned";

/** The session of a context. Where nothing is traced, all methods do nothing. */
export interface SessionHandle {
  /** The program's own, else a random one; empty where nothing is traced and the program gave none. */
  readonly id: string;
  setTitle(title: string): void;
  setTags(tags: readonly string[]): void;
  /** Who the session is held with: `user.id`. */
  setUser(user: string): void;
  /** Says that nothing more is to come, and how it went. Default `completed`. Later runs are still taken in. */
  end(status?: SessionStatus): void;
}
