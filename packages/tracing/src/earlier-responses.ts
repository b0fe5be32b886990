import { processState } from "./process-state.ts";

/** The span of the call that gave a response, in whatever process that was. */
export interface EarlierResponse {
  readonly traceId: string;
  readonly spanId: string;
  readonly sessionId: string;
  /** Whether a span has told what the response used. */
  readonly isCounted: boolean;
}

type FindResponse = (responseId: string) => EarlierResponse | undefined;

const finders = processState<Set<FindResponse>>("earlier-responses.v1", () => new Set());

/** Adds one who knows which spans gave responses, of other processes too. It must not throw. */
export function addResponseFinder(find: FindResponse): void {
  finders.add(find);
}

/** Where a response was given that this process does not remember; asked off the application's path. */
export function earlierResponse(responseId: string): EarlierResponse | undefined {
  for (const find of finders) {
    const found = find(responseId);
    if (found !== undefined) return found;
  }
  return undefined;
}
