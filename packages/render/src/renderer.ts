import type { Session } from "@thoughtflow/schema";
import type { RunStretch } from "./run-stretches.ts";

/** What a caller may ask of any renderer; each takes what it understands and ignores the rest. */
export interface RenderOptions {
  /**
   * Draw only this run (its `conversation_id`), step by step: the drill-down. Steps of other runs appear only
   * where an edge leads to them. An id that the session does not have gives an empty drawing.
   */
  readonly run?: string;
  /** Draw each run as one box, whatever it holds; without `run`. Default: where steps and runs are more than 200. */
  readonly areRunsFolded?: boolean;
  /** Of how many runs one is there where runs are folded, by its id: of a session that is too long to be there. Default: each is one. */
  readonly standsFor?: ReadonlyMap<string, number>;
  /** What runs have instead of one box where runs are folded, by their ids: for steps that the session doesn't hold. */
  readonly stretches?: ReadonlyMap<string, readonly RunStretch[]>;
  /** In graphs of agents, also what is only likely: an answer that another agent was given, one agent after another. Default false. */
  readonly inferred?: boolean;
  /** ANSI colours in terminal output. Default false. */
  readonly color?: boolean;
  /** Columns of terminal output, at least 40. Default 100. */
  readonly width?: number;
  /** How long a text for models may be. Default 2,000. */
  readonly tokens?: number;
  /** Box-drawing and other non-ASCII marks in terminal output. Default true. */
  readonly unicode?: boolean;
}

/**
 * One way to show a session. Pure and total: the same document and options give the same text, no text of a
 * document makes it throw or leave its place in the output, and nothing is mutated. Every format has one
 * escape function of its own, and every text of a document goes through it.
 */
export interface Renderer {
  /** As given to `convert --to`. */
  readonly name: string;
  readonly mediaType: string;
  /** With the leading dot. */
  readonly fileExtension: string;
  /** The whole output, ending in a line break. */
  render(session: Session, options?: RenderOptions): string;
}
