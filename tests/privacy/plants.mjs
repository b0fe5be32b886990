// What is planted where: 40 secrets, each in a place of its own, found again by a needle that is nowhere else.
import { createHash } from "node:crypto";

/** Every place, and how far text from there comes: into the document, into its records and spans only, or nowhere. */
export const PLACES = {
  "chat system message": "document",
  "chat developer message": "document",
  "chat user message": "document",
  "chat user text part": "document",
  "chat user message, line by line": "document",
  "chat image address": "document",
  "chat image data": "nowhere",
  "chat sound data": "nowhere",
  "chat file data": "nowhere",
  "chat assistant message of the history": "document",
  "chat tool call arguments of the history": "document",
  "chat tool result": "document",
  "chat tool result as JSON": "document",
  "chat tool description": "document",
  "chat tool parameter's description": "document",
  "chat tool parameter's default": "document",
  "chat output schema's description": "document",
  "chat answer": "document",
  "chat answer's refusal": "document",
  "chat answer's reasoning": "document",
  "chat answer's tool call arguments": "document",
  "streamed chat answer": "document",
  "streamed chat tool call arguments": "document",
  "responses instructions": "document",
  "responses input text": "document",
  "responses function output": "document",
  "responses answer": "document",
  "responses reasoning summary": "document",
  "streamed responses answer": "document",
  "completion prompt": "document",
  "completion answer": "document",
  "embedding input": "records",
  "error message of a 400": "document",
  "error event of a stream": "document",
  "error of the connection": "nowhere",
  "api key": "nowhere",
  "header of the client": "nowhere",
  "query of the base URL": "nowhere",
  "tool's own arguments": "document",
  "tool's own error": "document",
};

/** Which kind of content each place is; what is missing here (errors, headers, addresses) is shown with all content only. */
const PLACES_BY_FIELD = {
  system: ["chat system message", "chat developer message", "responses instructions"],
  input: [
    "chat user message",
    "chat user text part",
    "chat user message, line by line",
    "chat image address",
    "chat image data",
    "chat sound data",
    "chat file data",
    "responses input text",
    "completion prompt",
    "embedding input",
  ],
  output: [
    "chat assistant message of the history",
    "chat answer",
    "chat answer's refusal",
    "chat answer's reasoning",
    "streamed chat answer",
    "responses answer",
    "responses reasoning summary",
    "streamed responses answer",
    "completion answer",
  ],
  tools: [
    "chat tool description",
    "chat tool parameter's description",
    "chat tool parameter's default",
    "chat output schema's description",
  ],
  arguments: [
    "chat tool call arguments of the history",
    "chat answer's tool call arguments",
    "streamed chat tool call arguments",
    "tool's own arguments",
  ],
  results: ["chat tool result", "chat tool result as JSON", "responses function output"],
};

/** The places of these kinds of content. */
export const placesOf = (fields) => fields.flatMap((field) => PLACES_BY_FIELD[field]);

const shapes = [
  (n) => [`the key sk-proj-${n(40)} is mine`, n(40)],
  (n) => [`token ghp_${n(36)}.`, n(36)],
  (n) => [`use AKIA${n(16).toUpperCase()} there`, n(16).toUpperCase()],
  (n) => [`jwt eyJhbGciOiJIUzI1NiJ9.${n(24)}.${n(32)} end`, n(32)],
  (n) => [`Authorization: Bearer ${n(30)}`, n(30)],
  (n) => [`see https://host.test/path?a=1&key=${n(28)}&b=2`, n(28)],
  (n) => [`postgres://admin:${n(20)}@db.test/main`, n(20)],
  (n) => [`Cookie: session=${n(32)}`, n(32)],
  (n) => [`{"token":"${n(32)}"}`, n(32)],
  (n) => [`twilio SK${hash(n(8)).slice(0, 32)} of ours`, hash(n(8)).slice(0, 32)],
  (n) => [`xoxb-123456789012-${n(24)} in chat`, n(24)],
  (n) => [`-----BEGIN PRIVATE KEY-----\n${n(60)}\n-----END PRIVATE KEY-----`, n(60)],
];

const hash = (text) => createHash("sha256").update(text).digest("hex");

/** Letters and digits by the place's name; a digit is among the first ones. */
function noise(place) {
  const digits = createHash("sha512")
    .update(place)
    .digest("base64")
    .replace(/[^A-Za-z0-9]/g, "");
  return (length) => `k7${digits}`.slice(0, length);
}

/** The text to plant, and what to look for. In `words` it looks like no key: only a switch can keep it out. */
export function plant(place, kind = process.env.PLANTS) {
  const at = Object.keys(PLACES).indexOf(place);
  if (at < 0) throw new Error(`no such place: ${place}`);
  if (kind === "words") {
    const needle = `plum ${hash(place).replace(/\d/g, "").slice(0, 12)} pie`;
    return { text: needle, needle };
  }
  const [text, needle] = shapes[at % shapes.length](noise(place));
  return { text, needle };
}

export const text = (place) => plant(place).text;

/** More than is kept inline, with the needle in it. */
export const base64 = (place) => plant(place, "keys").needle.repeat(80).slice(0, 2000);
