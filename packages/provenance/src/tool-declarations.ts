type Fields = Readonly<Record<string, unknown>>;

/**
 * Tool schemas as models are shown them: declarations with comments, not JSON. What providers count of them is nearer to
 * this text than to the schemas themselves. What is no list of schemas stays as it is.
 */
export function toolDeclarations(schemas: string): string {
  let list: unknown;
  try {
    list = JSON.parse(schemas);
  } catch {
    return schemas;
  }
  return Array.isArray(list) ? list.map(declaration).join("\n\n") : schemas;
}

function declaration(tool: unknown): string {
  const outer = fieldsOf(tool);
  const own = "function" in outer ? fieldsOf(outer["function"]) : outer;
  const parameters = fieldsOf(own["parameters"] ?? own["input_schema"] ?? own["inputSchema"]);
  return [
    ...comment(own),
    `type ${textOf(own["name"] ?? outer["type"])} = (_: {`,
    ...members(parameters),
    "}) => any;",
  ].join("\n");
}

/** Deeper than this nobody declares anything; a schema that does is hostile. */
const DEEPEST = 32;

function members(schema: Fields, depth = 0): readonly string[] {
  const required = new Set(Array.isArray(schema["required"]) ? schema["required"] : []);
  return Object.entries(fieldsOf(schema["properties"])).flatMap(([name, value]) => {
    const field = fieldsOf(value);
    return [
      ...comment(field),
      `${name}${required.has(name) ? "" : "?"}: ${typeText(field, depth)},`,
    ];
  });
}

function typeText(schema: Fields, depth: number): string {
  if (depth > DEEPEST) return "any";
  const { enum: choices, type, items } = schema;
  if (Array.isArray(choices)) return choices.map((one) => JSON.stringify(one)).join(" | ");
  if (type === "array") return `${typeText(fieldsOf(items), depth + 1)}[]`;
  if (type === "object" || "properties" in schema)
    return ["{", ...members(schema, depth + 1), "}"].join("\n");
  if (type !== undefined) return textOf(type);
  return Object.keys(schema).length === 0 ? "any" : JSON.stringify(schema);
}

function comment({ description }: Fields): readonly string[] {
  return typeof description === "string" && description !== "" ? [`// ${description}`] : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
