import type { Exchange } from "@thoughtflow/testkit";

/** How an app that knows only openai makes the request of an exchange: a method of the client and its arguments. */
export interface SdkCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

type Arguments = (body: Record<string, unknown>, path: URL, stream: boolean) => readonly unknown[];

const withBody: Arguments = (body) => [body];
const withId: Arguments = (_, { pathname }) => [pathname.split("/").at(-1)];

/** By the end of the path, whatever deployment or version stands before it. */
const METHODS: readonly (readonly [pattern: RegExp, method: string, args: Arguments])[] = [
  [/^POST .*\/chat\/completions$/, "chat.completions.create", withBody],
  [/^POST .*\/responses\/compact$/, "responses.compact", withBody],
  [/^POST .*\/responses\/input_tokens$/, "responses.inputTokens.count", withBody],
  [/^POST .*\/responses$/, "responses.create", withBody],
  [/^GET .*\/responses\/[^/]+$/, "responses.retrieve", retrieval],
  [/^POST .*\/completions$/, "completions.create", withBody],
  [/^POST .*\/embeddings$/, "embeddings.create", withBody],
  [/^POST .*\/images\/generations$/, "images.generate", withBody],
  [/^POST .*\/images\/edits$/, "images.edit", withBody],
  [/^POST .*\/audio\/transcriptions$/, "audio.transcriptions.create", withBody],
  [/^POST .*\/conversations$/, "conversations.create", withBody],
  [/^DELETE .*\/conversations\/[^/]+$/, "conversations.delete", withId],
  [/^POST .*\/vector_stores$/, "vectorStores.create", withBody],
  [/^DELETE .*\/vector_stores\/[^/]+$/, "vectorStores.delete", withId],
  [/^POST .*\/vector_stores\/[^/]+\/files$/, "vectorStores.files.create", ofStore],
  [/^POST .*\/files$/, "files.create", () => [{ purpose: "assistants", file: { upload: "a.txt" } }]],
  [/^DELETE .*\/files\/[^/]+$/, "files.delete", withId],
];

/** A request of no method that the SDK has is made by its path, as the SDK's own readme says. */
export function sdkCall({ method, path, request, stream }: Exchange): SdkCall {
  const url = new URL(path, "http://localhost");
  const found = METHODS.find(([pattern]) => pattern.test(`${method} ${url.pathname}`));
  if (found === undefined) return { method: method.toLowerCase(), args: [path] };
  const { body } = request;
  const isJson = typeof body === "object" && body !== null;
  return { method: found[1], args: found[2](isJson ? { ...body } : {}, url, stream) };
}

function retrieval(_: unknown, { pathname, searchParams }: URL, stream: boolean): readonly unknown[] {
  const id = pathname.split("/").at(-1);
  const after = searchParams.get("starting_after");
  return stream ? [id, { stream, ...(after !== null && { starting_after: Number(after) }) }] : [id];
}

function ofStore(body: Record<string, unknown>, { pathname }: URL): readonly unknown[] {
  return [pathname.split("/").at(-2), body];
}
