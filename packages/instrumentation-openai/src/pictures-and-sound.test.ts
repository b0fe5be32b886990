import { createRandom, toExchange } from "@thoughtflow/testkit";
import { describe, expect, it } from "vitest";
import { events, input, output, says, spansOf } from "../testing/told-calls.ts";

const random = createRandom(7);
const picture = Buffer.from(Array.from({ length: 3000 }, () => random() * 256)).toString("base64");
const omitted = expect.objectContaining({ omitted: "base64", bytes: 3000 });
const file = (type: string) => new File(["12345"], "it.bin", { type });

describe("pictures", () => {
  it("are told by words, size and usage; their bytes by hash and length", async () => {
    const usage = {
      input_tokens: 10,
      output_tokens: 272,
      total_tokens: 282,
      input_tokens_details: { image_tokens: 3, text_tokens: 7 },
    };
    const [span] = await spansOf(
      [toExchange("/", { data: [{ b64_json: picture, revised_prompt: "a red cat" }], usage })],
      (client) =>
        client.images.generate({ model: "gpt-image-1", prompt: "a cat", n: 2, size: "1024x1024" }),
    );
    expect(span?.name).toBe("generate_content gpt-image-1");
    expect(span?.attributes).toMatchObject({
      "gen_ai.output.type": "image",
      "gen_ai.request.choice.count": 2,
      "openai.request.size": "1024x1024",
      "gen_ai.usage.input_tokens": 10,
      "gen_ai.usage.output_tokens": 272,
      "gen_ai.usage.image.input_tokens": 3,
      "thoughtflow.call": "openai.images.generate",
    });
    expect(input(span)).toEqual([says("user", "a cat")]);
    expect(output(span)).toEqual([
      {
        role: "assistant",
        parts: [
          {
            type: "blob",
            modality: "image",
            mime_type: "image/png",
            content: omitted,
            revised_prompt: "a red cat",
          },
        ],
      },
    ]);
  });

  it("that come in pieces are one picture, with the usage of the last event", async () => {
    const stream = events(
      { type: "image_generation.partial_image", b64_json: "AAAA", partial_image_index: 0 },
      {
        type: "image_generation.completed",
        b64_json: picture,
        output_format: "webp",
        usage: { input_tokens: 1, output_tokens: 2 },
      },
    );
    const [span] = await spansOf([toExchange("/", stream)], async (client) => {
      const pieces = await client.images.generate({ model: "m", prompt: "a cat", stream: true });
      for await (const _ of pieces);
    });
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.stream": true,
      "gen_ai.usage.output_tokens": 2,
      "thoughtflow.stream.chunks": 2,
    });
    expect(output(span)).toEqual([
      {
        role: "assistant",
        parts: [{ type: "blob", modality: "image", mime_type: "image/webp", content: omitted }],
      },
    ]);
  });

  it("to be changed are told by name and type, not read", async () => {
    const [span] = await spansOf(
      [toExchange("/", { data: [{ url: "https://x.test/1.png" }] })],
      (client) =>
        client.images.edit({
          model: "m",
          prompt: "blue",
          image: [file("image/png")],
          mask: file("image/webp"),
        }),
    );
    expect(input(span)).toEqual([
      {
        role: "user",
        parts: [
          { type: "text", content: "blue" },
          {
            type: "uploaded_file",
            modality: "image",
            filename: "it.bin",
            mime_type: "image/png",
            bytes: 5,
          },
          {
            type: "uploaded_file",
            modality: "image",
            filename: "it.bin",
            mime_type: "image/webp",
            bytes: 5,
          },
        ],
      },
    ]);
  });
});

describe("sound", () => {
  it("that is spoken stays with the app, which still reads it", async () => {
    const exchange = toExchange("/", "RIFF", { headers: { "content-type": "audio/wav" } });
    let heard = "";
    const [span] = await spansOf([exchange], async (client) => {
      const speech = await client.audio.speech.create({
        model: "tts",
        voice: "ash",
        input: "Hello",
        instructions: "slowly",
        speed: 0.5,
      });
      heard = await speech.text();
    });
    expect(heard).toBe("RIFF");
    expect(span?.attributes).toMatchObject({
      "gen_ai.output.type": "speech",
      "openai.request.speed": 0.5,
    });
    expect(input(span)).toEqual([says("user", "Hello")]);
    expect(output(span)).toEqual([
      { role: "assistant", parts: [{ type: "audio", mime_type: "audio/wav" }] },
    ]);
  });

  it("that is written down is told as text with its tokens", async () => {
    const usage = {
      type: "tokens",
      input_tokens: 14,
      output_tokens: 4,
      input_token_details: { text_tokens: 4, audio_tokens: 10 },
    };
    const [span] = await spansOf([toExchange("/", { text: "Hello.", usage })], (client) =>
      client.audio.transcriptions.create({
        model: "stt",
        file: file("audio/mp3"),
        prompt: "names",
      }),
    );
    expect(span?.attributes).toMatchObject({
      "gen_ai.request.model": "stt",
      "gen_ai.usage.input_tokens": 14,
      "gen_ai.usage.audio.input_tokens": 10,
    });
    expect(input(span)).toEqual([
      {
        role: "user",
        parts: [
          {
            type: "uploaded_file",
            modality: "audio",
            filename: "it.bin",
            mime_type: "audio/mp3",
            bytes: 5,
          },
          { type: "text", content: "names" },
        ],
      },
    ]);
    expect(output(span)).toEqual([says("assistant", "Hello.")]);
  });

  it("that is written down piece by piece is one text, also when the app stops in the middle", async () => {
    const stream = events(
      { type: "transcript.text.delta", delta: "Hel" },
      { type: "transcript.text.delta", delta: "lo" },
      { type: "transcript.text.done", text: "Hello", usage: { input_tokens: 5, output_tokens: 2 } },
    );
    const spans = await spansOf(
      [toExchange("/", stream), toExchange("/", stream)],
      async (client) => {
        for (const limit of [9, 1]) {
          let read = 0;
          const request = { model: "stt", file: file("audio/mp3"), stream: true } as const;
          for await (const _ of await client.audio.transcriptions.create(request)) {
            if (++read === limit) break;
          }
        }
      },
    );
    expect(spans.map(output)).toEqual([[says("assistant", "Hello")], [says("assistant", "Hel")]]);
    expect(spans.map(({ attributes }) => attributes["thoughtflow.outcome"])).toEqual([
      undefined,
      "cancelled",
    ]);
  });

  it("that is cut into plain text has no usage", async () => {
    const exchange = toExchange("/", "just words", { headers: { "content-type": "text/plain" } });
    const [span] = await spansOf([exchange], (client) =>
      client.audio.translations.create({
        model: "stt",
        file: file("audio/mp3"),
        response_format: "text",
      }),
    );
    expect(output(span)).toEqual([says("assistant", "just words")]);
    expect(Object.keys(span?.attributes ?? {}).filter((name) => name.includes("usage"))).toEqual(
      [],
    );
  });
});
