import { createHash } from "node:crypto";
import { context } from "@opentelemetry/api";
import { openaiChat } from "@thoughtflow/dialects";
import { isShort, preview } from "@thoughtflow/schema/preview";
import { optionCheck } from "./checks.ts";
import { runOf } from "./flow-context.ts";
import { silentStep } from "./silence.ts";
import { recordStep } from "./step.ts";
import type { StepLabel } from "./step-label.ts";
import type { StepReference } from "./step-reference.ts";
import { activeTracer } from "./tracer.ts";

/** What a model call may rest on for long: its policy, its tools' schemas, its channel's or context's preamble. */
export type SnapshotKind = "policy" | "tool.schemas" | "channel" | "context" | (string & {});

/** A long-lived input as it is used now. */
export interface SnapshotOptions {
  readonly kind: SnapshotKind;
  /** The text, the list of tool schemas, or the context object. */
  readonly content: unknown;
  /** Joins equal inputs across runs and sessions; default the content's hash. */
  readonly version?: string;
  /** When the content was made, in ms since 1970; may be long before the session. */
  readonly producedAt?: number;
}

interface Writing {
  readonly label: StepLabel;
  readonly prefix: string;
  /** The content in the form that its hash and its text are made of. */
  readonly form?: (content: unknown) => unknown;
  readonly payload: (content: unknown, text: string) => Record<string, unknown>;
}

const textPayload = (content: unknown, text: string): Record<string, unknown> => ({
  content_preview: preview(text),
  ...(!isShort(text) && { content }),
});

const preamblePayload = (content: unknown, text: string): Record<string, unknown> =>
  typeof content === "string" ? textPayload(content, text) : { context: content };

const WRITINGS: Readonly<Record<string, Writing>> = {
  policy: { label: "policy.snapshot", prefix: "snp_policy_", payload: textPayload },
  "tool.schemas": {
    label: "tool.schemas.snapshot",
    prefix: "snp_tools_",
    form: flatSchemas,
    payload: (schemas, text) => ({
      ...(Array.isArray(schemas) && { count: schemas.length, names: schemas.map(toolName) }),
      schemas_preview: preview(text),
      schemas,
    }),
  },
  channel: { label: "channel.preamble", prefix: "snp_channel_", payload: preamblePayload },
  context: { label: "context.preamble", prefix: "snp_context_", payload: preamblePayload },
};

const checkSnapshot = optionCheck(
  "snapshot",
  { kind: "id", version: "string", producedAt: "number" },
  ["kind"],
);

const HASH_DIGITS = 16;

/**
 * Records a long-lived input as a step that model calls can depend on: one for each content in a run, however
 * often it is used. Its id is a name and the first 16 hex digits of the content's SHA-256, so that the same
 * content has the same id everywhere.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function snapshot(options: SnapshotOptions): StepReference {
  checkSnapshot(options);
  const { kind, producedAt } = options;
  if (activeTracer() === undefined) return silentStep(undefined);
  const { label, prefix, form, payload } = writingOf(kind);
  const content = form === undefined ? options.content : form(options.content);
  const text = textOf(content);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, HASH_DIGITS);
  const id = `${prefix}${hash}`;
  const known = runOf(context.active())?.snapshots;
  const step =
    known?.get(id) ??
    recordStep({
      id,
      label,
      input: {
        version: options.version ?? hash,
        ...(producedAt !== undefined && { produced_at: producedAt }),
        ...payload(content, text),
      },
    });
  known?.set(id, step);
  return step;
}

function writingOf(kind: string): Writing {
  const known = Object.hasOwn(WRITINGS, kind) ? WRITINGS[kind] : undefined;
  return known ?? { label: `${kind}.snapshot`, prefix: `snp_${kind}_`, payload: textPayload };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  try {
    return JSON.stringify(content) ?? "";
  } catch {
    return "";
  }
}

/** As a model call shows its tools, so that a call's own snapshot of the same tools is the same step. */
function flatSchemas(schemas: unknown): unknown {
  return Array.isArray(schemas) ? openaiChat.toolDefinitions({ tools: schemas }) : schemas;
}

function toolName(schema: unknown): string {
  return String((schema as { readonly name?: unknown }).name);
}
