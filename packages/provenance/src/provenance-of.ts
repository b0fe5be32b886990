import type { PlacedStep, StepIndex } from "@thoughtflow/schema/steps";

/** A part of a composed prompt. */
export interface RangedPart {
  readonly type: string;
  /** Its text in the prompt; of a part beside the prompt its value. */
  readonly text: string;
  readonly id?: string;
  readonly version?: string;
  readonly hash?: string;
  /** Absent beside the prompt. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  readonly startByte?: number | undefined;
  readonly endByte?: number | undefined;
}

/** What a model call says of its prompt. */
export interface Provenance {
  readonly prompt: string;
  readonly parts: readonly RangedPart[];
  readonly messages: readonly {
    readonly role: string;
    readonly start: number;
    readonly end: number;
  }[];
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads `prompt_provenance`, in whatever shape it is; `undefined` where a call says nothing that can be read. */
export function provenanceOf({ run, step }: PlacedStep, index: StepIndex): Provenance | undefined {
  const own = fieldsOf(step.payload_started?.["prompt_provenance"]);
  if (own === undefined) return undefined;
  const prompt = promptText(own, { run, step }, index);
  const ranges = new Map(
    listOf(own["assembly"]).flatMap((range): [number, Fields][] => {
      const { part, start, end } = range;
      const fits =
        typeof part === "number" && isPlace(start, prompt) && isPlace(end, prompt) && start <= end;
      return fits ? [[part, range]] : [];
    }),
  );
  const parts = listOf(own["parts"]).map((part, at): RangedPart => {
    const range = ranges.get(at);
    const [start, end] = [numberOf(range?.["start"]), numberOf(range?.["end"])];
    const [startByte, endByte] = [numberOf(range?.["start_byte"]), numberOf(range?.["end_byte"])];
    return {
      type: textOf(part["type"]) ?? "unattributed",
      text: range === undefined ? (textOf(part["value"]) ?? "") : prompt.slice(start, end),
      ...names(part),
      ...(range !== undefined && { start, end, startByte, endByte }),
    };
  });
  const messages = listOf(own["messages"]).flatMap(({ role, start, end }) =>
    typeof role === "string" && isPlace(start, prompt) && isPlace(end, prompt)
      ? [{ role, start, end }]
      : [],
  );
  const whole = [{ role: "system", start: 0, end: prompt.length }];
  return { prompt, parts, messages: messages.length > 0 ? messages : whole };
}

function promptText(own: Fields, { run }: PlacedStep, index: StepIndex): string {
  const { final_prompt: prompt, final_prompt_of: first } = own;
  if (typeof prompt === "string") return prompt;
  const teller = typeof first === "string" ? index(first, run) : undefined;
  const told = fieldsOf(teller?.step.payload_started?.["prompt_provenance"])?.["final_prompt"];
  return typeof told === "string" ? told : "";
}

function names(part: Fields): Pick<RangedPart, "id" | "version" | "hash"> {
  const [id, version, hash] = [part["id"], part["version"], part["hash"]].map(textOf);
  return {
    ...(id !== undefined && { id }),
    ...(version !== undefined && { version }),
    ...(hash !== undefined && { hash }),
  };
}

function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === "object" && value !== null ? (value as Fields) : undefined;
}

function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map((item) => fieldsOf(item) ?? {}) : [];
}

function isPlace(value: unknown, text: string): value is number {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= text.length;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
