import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type Exchange, toExchange } from "@thoughtflow/testkit";
import type { Recording } from "./replay-recordings.ts";

/** The endpoint that the answers of a folder came from; what was asked is not known. */
const PATHS: Readonly<Record<string, string>> = {
  chat: "/v1/chat/completions",
  completion: "/v1/completions",
  embedding: "/v1/embeddings",
  image: "/v1/images/generations",
  responses: "/v1/responses",
  transcription: "/v1/audio/transcriptions",
};

/** Bodies captured without their requests: `*.json` as they are, `*.chunks.txt` with the data of one event a line. */
export function capturesIn(folder: string): Recording[] {
  const path = PATHS[basename(folder)];
  if (path === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".chunks.txt") || /(?<!exchanges)\.json$/.test(name))
    .map((name) => ({
      name: `${basename(folder)}/${name}`,
      exchanges: bodiesOf(name, readFileSync(join(folder, name), "utf8")).map((body) =>
        captured(path, body),
      ),
    }));
}

/** A file may hold the events of several answers, one after the other. */
function bodiesOf(name: string, text: string): readonly unknown[] {
  if (!name.endsWith(".chunks.txt")) return [JSON.parse(text)];
  const answers: string[] = [];
  for (const line of text.split("\n").filter((one) => one.trim() !== "")) {
    if (answers.length === 0 || line.includes('"type":"response.created"')) answers.push("");
    answers.push(`${answers.pop()}data: ${line}\n\n`);
  }
  return answers;
}

function captured(path: string, body: unknown): Exchange {
  const isStream = typeof body === "string";
  const { error, object } = (isStream ? {} : body) as { error?: unknown; object?: unknown };
  const failed = error != null && object !== "response";
  const exchange = toExchange(path, body, { status: failed ? 400 : 200 });
  const sound = path.endsWith("transcriptions") && { file: { upload: "sound.mp3" } };
  const request = { model: "captured", ...sound, ...(isStream && { stream: true }) };
  return { ...exchange, request: { body: request } };
}
