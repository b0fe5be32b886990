import type { TaggedThought } from "./thinking-tags-in.ts";

/** The tool's arguments by the names that tags give them. */
const FIELDS: Readonly<Record<string, string>> = {
  type: "thought_type",
  thoughtType: "thought_type",
  id: "thought_id",
  thoughtId: "thought_id",
  relatedTo: "related_to",
  content: "thought",
  text: "thought",
};

/** A tag's attributes as arguments of `think_aloud`; what stands between the tags is the thought, if anything does. */
export function argumentsOfTag({ attributes, text }: TaggedThought): Record<string, unknown> {
  const fields = Object.entries(attributes).map(([name, value]) => [
    Object.hasOwn(FIELDS, name) ? FIELDS[name] : name,
    name === "confidence" && value.trim() !== "" && !Number.isNaN(Number(value))
      ? Number(value)
      : value,
  ]);
  const words = text.trim();
  return { ...Object.fromEntries(fields), ...(words !== "" && { thought: words }) };
}
