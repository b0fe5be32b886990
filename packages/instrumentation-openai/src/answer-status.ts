const PENDING: ReadonlySet<unknown> = new Set(["queued", "in_progress", "cancelling"]);

/** Whether an answer is only the promise of one: whoever wants it asks again. */
export function isPending(answer: unknown): boolean {
  return PENDING.has((answer as { readonly status?: unknown } | null | undefined)?.status);
}
