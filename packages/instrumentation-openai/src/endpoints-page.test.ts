import { expect, it } from "vitest";
import { ENDPOINTS } from "./endpoints.ts";

const HEAD = `# Endpoints

What every endpoint of the API leaves, written from [the table](../packages/instrumentation-openai/src/endpoints.ts)
that the instrumentation itself uses (\`vitest run endpoints-page -u\` writes this page; a test compares it).

Helpers (\`parse\`, \`stream\`, \`runTools\`, \`createAndPoll\` …) go through the methods below and leave what these leave. A request
sent by path, \`client.post("/chat/completions", { body })\`, is what its path says. The rows hold for every client: clones by
\`withOptions()\`, subclasses, Azure, Bedrock, custom \`fetch\`, and any base URL; the provider's name comes from
[the table of hosts](../packages/dialects/src/provider.ts).

- An endpoint that is not here gives one generic CLIENT span, named by method and path without the ids, with status and
  time; it is counted by name (\`requestCounts()\`).
- *completes*: the span \`fetch_response\` belongs to the step of the response that is fetched; only where no call
  that the flow directory knows made it, it is that step. It is in the session of that response, whatever process fetches it in
  whatever context. A look at an answer that is not there yet, polling, gives no span.
- *none*: counted by name.
- A socket is a span \`realtime_session\`, step \`node\`, from its connection to its end, of \`OpenAIRealtimeWS\` and
  \`OpenAIRealtimeWebSocket\` from the first event on; its row says what each response below it leaves. A model that writes down what
  a realtime session hears leaves a call of its own for each piece of speech.
  \`LiveWS\`, \`ForksWS\` and \`SidebandWS\` tell the responses of the model that a live session asks, each once in a process; what
  is spoken there has seconds and no tokens. The classes stand in modules of their own: bundled apps call \`instrumentOpenAI(LiveWS)\`.
- WebRTC and calls by telephone are not observed: their events don't pass through the SDK. A \`SidebandWS\` beside them is.

| request | method of the client | operation | step |
|---|---|---|---|
`;

it("the page of endpoints is what the table says", async () => {
  const rows = ENDPOINTS.map(({ route, call, dialect, step }) =>
    [
      `\`${route}\``,
      call === undefined ? "" : `\`${call}\``,
      dialect === undefined ? "" : `\`${dialect.operation}\``,
      step === undefined ? "*none*" : step === "completes" ? "*completes*" : `\`${step}\``,
    ].join(" | "),
  );
  const page = `${HEAD}${rows.map((row) => `| ${row} |`).join("\n")}\n`;
  await expect(page).toMatchFileSnapshot("../../../docs/endpoints.md");
});
