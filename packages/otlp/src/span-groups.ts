import type { OtlpResource, OtlpScope, OtlpSpan } from "./otlp-span.ts";

/** Spans of one resource, as a request holds them. */
export interface ResourceGroup {
  readonly resource: OtlpResource;
  readonly scopes: readonly ScopeGroup[];
}

/** The spans of one instrumentation scope, in the order in which they were given. */
export interface ScopeGroup {
  readonly scope: OtlpScope;
  readonly spans: readonly OtlpSpan[];
}

/** Resources, scopes and spans in the order in which they first come; both are told apart by identity. */
export function groupSpans(spans: readonly OtlpSpan[]): readonly ResourceGroup[] {
  const resources = new Map<OtlpResource, Map<OtlpScope, OtlpSpan[]>>();
  let last: OtlpSpan | undefined;
  let group: OtlpSpan[] = [];
  for (const span of spans) {
    const { resource, instrumentationScope: scope } = span;
    // Neighbours mostly come from one tracer.
    if (resource !== last?.resource || scope !== last.instrumentationScope) {
      const scopes = resources.get(resource) ?? new Map<OtlpScope, OtlpSpan[]>();
      resources.set(resource, scopes);
      group = scopes.get(scope) ?? [];
      scopes.set(scope, group);
    }
    group.push(span);
    last = span;
  }
  return Array.from(resources, ([resource, scopes]) => ({
    resource,
    scopes: Array.from(scopes, ([scope, spans]) => ({ scope, spans })),
  }));
}
