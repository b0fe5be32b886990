import type { Renderer } from "@thoughtflow/render";
import { Agent, Edge, Run, Session, Step } from "@thoughtflow/schema";
import {
  type DocumentPart,
  type Fate,
  HOLDS_PARTS,
  partsOf,
} from "../src/conversions/conversion-losses.ts";
import { specimenSession } from "./specimen-session.ts";

const FORMS: Readonly<Record<DocumentPart, object>> = {
  session: Session.shape,
  agent: Agent.shape,
  run: Run.shape,
  step: Step.shape,
  edge: Edge.shape,
};

/** Every key that the document's form names, with the part it is of, but for those that hold parts. */
export function documentKeys(): readonly (readonly [part: DocumentPart, key: string])[] {
  return Object.entries(FORMS).flatMap(([part, form]) =>
    Object.keys(form)
      .filter((key) => !HOLDS_PARTS.has(`${part} ${key}`))
      .map((key) => [part as DocumentPart, key] as const),
  );
}

/** The specimen as each conversion shows it. */
const drawn = new Map<Renderer, string>();

/** What a conversion shows of a key: `kept` where every change in it shows, `lost` where none does, else `part`. */
export function shownFate(renderer: Renderer, part: DocumentPart, key: string): Fate {
  const before = drawn.get(renderer) ?? renderer.render(specimenSession);
  drawn.set(renderer, before);
  const session = structuredClone(specimenSession);
  const holders = new Map(partsOf(session)).get(part) ?? [];
  const leaves = holders.flatMap((holder) => leavesOf(holder as Leaf["holder"], key));
  if (leaves.length === 0) throw new Error(`the specimen has no ${part} ${key}`);
  const shown = leaves.filter(({ holder, key: at }) => {
    const kept = holder[at];
    holder[at] = changed(kept);
    // Another one: what was found in a session is kept for the next drawing of it.
    const after = renderer.render({ ...session });
    holder[at] = kept;
    return after !== before;
  });
  if (shown.length === 0) return "lost";
  return shown.length < leaves.length ? "part" : "kept";
}

interface Leaf {
  readonly holder: Record<string, unknown>;
  readonly key: string;
}

function leavesOf(holder: Leaf["holder"], key: string): Leaf[] {
  const value = holder[key];
  if (value === undefined) return [];
  if (typeof value !== "object" || value === null) return [{ holder, key }];
  const inner = value as Leaf["holder"];
  return Object.keys(inner).flatMap((name) => leavesOf(inner, name));
}

function changed(value: unknown): unknown {
  if (typeof value === "number") return value < 1 ? value / 2 : value + 300;
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return "changed";
  return /^\d{4}-\d\d-\d\dT/.test(value) ? value.replace(/T\d\d/, "T11") : `${value}x`;
}
