interface JsonRequest {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly object[] }[];
  }[];
}

/** What `splitProtobufRequest` does, for a request that `encodeJsonRequest` made. */
export function splitJsonRequest(
  request: Uint8Array,
): readonly [Uint8Array, Uint8Array] | undefined {
  const parsed: JsonRequest = JSON.parse(Buffer.from(request).toString());
  const count = parsed.resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .reduce((sum, { spans }) => sum + spans.length, 0);
  if (count < 2) return undefined;
  const middle = Math.ceil(count / 2);
  return [part(parsed, 0, middle), part(parsed, middle, count)];
}

/** The spans from one number to another, counted through the whole request. */
function part({ resourceSpans }: JsonRequest, from: number, to: number): Uint8Array {
  let counted = 0;
  const kept = resourceSpans.map(({ scopeSpans, ...resource }) => ({
    ...resource,
    scopeSpans: scopeSpans
      .map(({ spans, ...scope }) => ({
        ...scope,
        spans: spans.filter(() => {
          counted += 1;
          return counted > from && counted <= to;
        }),
      }))
      .filter(({ spans }) => spans.length > 0),
  }));
  const request = { resourceSpans: kept.filter(({ scopeSpans }) => scopeSpans.length > 0) };
  return Buffer.from(JSON.stringify(request));
}
