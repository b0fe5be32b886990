import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRedactor, defaultRedactor } from "./redactor.ts";

const secret = `sk-${"aB3dE5fG7hJ9kL2m".repeat(2)}`;
const image = Buffer.from(Array.from({ length: 3_000 }, (_, index) => (index * 7919) % 251));
const base64 = image.toString("base64");

function copy(value: unknown): unknown {
  return defaultRedactor.value(value, "gen_ai.input.messages");
}

describe("value", () => {
  it("copies JSON as it is", () => {
    const message = {
      role: "user",
      parts: [{ type: "text", content: "Hi", n: [1, 2.5, null, true] }],
    };
    expect(copy(message)).toEqual(message);
    expect(copy(message)).not.toBe(message);
  });

  it("masks what stands behind a flag in a list of words", () => {
    const words = [
      "deploy",
      "--auth-token",
      "hunter22hunter22",
      "--token",
      "--dry-run",
      "-n",
      "12345678",
    ];
    expect(copy({ args: words })).toEqual({ args: words.with(2, "[redacted: secret]") });
    const isOff = createRedactor({ secrets: false });
    expect(isOff.value(words, "gen_ai.tool.call.arguments")).toEqual(words);
  });

  it("masks the password that curl is given in a list of words, and no numbers of users", () => {
    const words = ["/usr/bin/curl", "-sSu", 'me:it\'s "x"', "https://h", "--user", "$USER:$PASS"];
    expect(copy(words)).toEqual(words.with(2, "me:[redacted: credentials]"));
    const others = ["docker", "run", "-u", "1000:1000"];
    expect(copy(others)).toEqual(others);
  });

  it("masks secrets in texts, in names, and whatever stands in a field of that name", () => {
    const value = {
      text: `my key is ${secret}`,
      headers: { Authorization: "x", "x-api-key": "short", "set-cookie": ["a=b"] },
      [secret]: 1,
      password: 1234,
      schema: { properties: { password: { type: "string" } } },
      client_secret: "",
    };
    expect(copy(value)).toEqual({
      text: "my key is [redacted: api_key]",
      headers: {
        Authorization: "[redacted: authorization]",
        "x-api-key": "[redacted: x-api-key]",
        "set-cookie": "[redacted: set-cookie]",
      },
      "[redacted: api_key]": 1,
      password: "[redacted: password]",
      schema: { properties: { password: { type: "string" } } },
      client_secret: "",
    });
  });

  it("shows odd values the way JSON does, and those that JSON refuses as text", () => {
    const sparse: unknown[] = [1];
    sparse[3] = 2;
    const error = Object.assign(new TypeError("no"), { status: 400, stack: "TypeError: no" });
    const value = {
      big: 2n ** 64n,
      nan: Number.NaN,
      infinite: -Infinity,
      zero: -0,
      date: new Date(0),
      never: new Date(Number.NaN),
      map: new Map([["a", 1]]),
      pairs: new Map([[1, "a"]]),
      set: new Set(["a"]),
      pattern: /a+/,
      boxed: new String("a"),
      absent: undefined,
      call: () => 1,
      symbol: Symbol("a"),
      list: [undefined, () => 1, Symbol("a")],
      sparse,
      bytes: new Uint8Array([1, 2, 3]),
      floats: new Float32Array([1, 2]),
      error,
      lone: "a\uD800b",
    };
    expect(copy(value)).toEqual({
      big: "18446744073709551616",
      nan: "NaN",
      infinite: "-Infinity",
      zero: 0,
      date: "1970-01-01T00:00:00.000Z",
      never: null,
      map: { a: 1 },
      pairs: [[1, "a"]],
      set: ["a"],
      pattern: "/a+/",
      boxed: "a",
      list: [null, null, null],
      sparse: [1, null, null, 2],
      bytes: "AQID",
      floats: [1, 2],
      error: { name: "TypeError", message: "no", stack: "TypeError: no", status: 400 },
      lone: "a\uFFFDb",
    });
    expect(copy(undefined)).toBeUndefined();
  });

  it("keeps a `__proto__` key as data", () => {
    const value: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1}');
    const copied = copy(value);
    expect(JSON.stringify(copied)).toBe('{"__proto__":{"polluted":true},"constructor":1}');
    expect(Object.getPrototypeOf(copied)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("leaves out media and vectors and says what they were", () => {
    const note = {
      omitted: "base64",
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      bytes: 3_000,
    };
    const png = { ...note, media_type: "image/png" };
    const value = {
      bare: base64,
      urlSafe: image.toString("base64url"),
      uri: `data:image/png;base64,${base64}`,
      blob: { mime_type: "image/png", content: base64 },
      bytes: image,
      short: "aGVsbG8=",
      letters: "x".repeat(5_000),
      embedding: Array.from({ length: 1_536 }, () => 0.5),
      numbers: [1, 2, 3],
      logprobs: [{ token: "a", logprob: -0.1 }],
    };
    const copied = copy(value);
    expect(copied).toEqual({
      bare: note,
      urlSafe: note,
      uri: png,
      blob: { mime_type: "image/png", content: png },
      bytes: note,
      short: "aGVsbG8=",
      letters: "x".repeat(5_000),
      embedding: { omitted: "embedding", count: 1_536 },
      numbers: [1, 2, 3],
      logprobs: { omitted: "logprobs", count: 1 },
    });
    const hashes = new Set(JSON.stringify(copied).match(/[0-9a-f]{64}/g));
    expect(hashes.size).toBe(1);
    expect(createRedactor({ media: "keep" }).value(value.uri, "a")).toBe(value.uri);
  });

  it("leaves out silence, which is one letter, where a media type stands beside it", () => {
    const silence = Buffer.alloc(3_000).toString("base64");
    const note = { omitted: "base64", sha256: expect.any(String), bytes: 3_000 };
    const beside = (mime_type: string) => copy({ mime_type, content: silence });
    expect(beside("audio/pcm")).toEqual({
      mime_type: "audio/pcm",
      content: { ...note, media_type: "audio/pcm" },
    });
    expect(beside("text/plain")).toEqual({ mime_type: "text/plain", content: silence });
    expect(copy(silence)).toBe(silence);
  });

  it("is total, gives JSON, and does not change what it is given", () => {
    const odd = fc.anything({
      withBigInt: true,
      withDate: true,
      withMap: true,
      withSet: true,
      withSparseArray: true,
      withTypedArray: true,
      withBoxedValues: true,
      withObjectString: true,
      withNullPrototype: true,
      key: fc.oneof(fc.string(), fc.constantFrom("__proto__", "toJSON", "password", "length")),
    });
    fc.assert(
      fc.property(odd, (value) => {
        const copied = copy(value);
        const json = JSON.stringify(copied);
        if (json !== undefined) expect(JSON.parse(json)).toEqual(copied);
      }),
      { numRuns: 1_000 },
    );
  });

  it("is the identity on JSON without secrets or media", () => {
    fc.assert(
      fc.property(fc.json({ noUnicodeString: false, depthSize: "medium" }), (json) => {
        fc.pre(!/passw|pwd|secret|token|key|auth|cookie|-0/i.test(json));
        const value: unknown = JSON.parse(json);
        expect(copy(value)).toEqual(value);
      }),
    );
  });
});

describe("text", () => {
  it("masks secrets and leaves out media in the middle of a text without breaking JSON in it", () => {
    const text = JSON.stringify({
      image: `data:image/png;base64,${base64}`,
      raw: `a\n${base64}`,
      secret,
    });
    const safe = defaultRedactor.text(text, "exception.message");
    expect(JSON.parse(safe)).toEqual({
      image: expect.stringMatching(
        /^\[omitted: base64 image\/png, 3000 bytes, sha256 [0-9a-f]{64}\]$/,
      ),
      raw: expect.stringMatching(/^a\n\[omitted: base64, 3000 bytes, sha256 [0-9a-f]{64}\]$/),
      secret: "[redacted: api_key]",
    });
  });

  it("masks a secret wherever it lies between texts and media of any length", () => {
    for (let length = 0; length < 2_100; length += 7) {
      const [words, media] = ["word ".repeat(420).slice(0, length), base64.slice(0, length)];
      for (const around of [words, `${media} `, `${media},`]) {
        const text = `${around}${around === words ? " " : ""}${secret} ${around}`;
        expect(defaultRedactor.text(text, "a")).not.toContain(secret.slice(3));
      }
    }
  });

  it("leaves nothing of an attribute whose name says that it is a secret", () => {
    const header = "http.request.header.x-api-key";
    expect(defaultRedactor.text("short", header)).toBe("[redacted: x-api-key]");
    expect(defaultRedactor.text("a=b", "http.response.header.Set-Cookie")).toBe(
      "[redacted: set-cookie]",
    );
    expect(defaultRedactor.text("", "db.password")).toBe("");
    expect(defaultRedactor.text("short", "gen_ai.request.model")).toBe("short");
    expect(createRedactor({ secrets: false }).text("short", header)).toBe("short");
  });

  it("leaves secrets to the caller when told so", () => {
    expect(createRedactor({ secrets: false }).text(secret, "a")).toBe(secret);
  });
});

describe("key", () => {
  it("masks a secret in the name of an attribute, each time, and leaves other names as they are", () => {
    const names = [`limits.${secret}`, "gen_ai.request.model", `limits.${secret}`];
    expect(names.map(defaultRedactor.key)).toEqual([
      "limits.[redacted: api_key]",
      "gen_ai.request.model",
      "limits.[redacted: api_key]",
    ]);
  });

  it("asks no hook, and masks nothing where secrets are left to the caller", () => {
    const redactor = createRedactor({ secrets: false, redact: () => "seen" });
    expect(redactor.key(secret)).toBe(secret);
  });
});

describe("the redact hook", () => {
  it("sees every text after the detectors, with the attribute's name", () => {
    const seen: string[] = [];
    const redactor = createRedactor({
      redact: (text, attribute) => {
        seen.push(`${attribute}: ${text}`);
        return text.replaceAll("Bob", "[name]");
      },
    });
    expect(redactor.value({ a: ["Bob", secret], n: 1 }, "x")).toEqual({
      a: ["[name]", "[redacted: api_key]"],
      n: 1,
    });
    expect(redactor.text("Bob", "y")).toBe("[name]");
    expect(seen).toEqual(["x: Bob", "x: [redacted: api_key]", "y: Bob"]);
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no");
      },
    ],
    ["answers no string", () => 5],
    ["is async", async () => "late"],
    [
      "is async and fails",
      async () => {
        throw new Error("late");
      },
    ],
  ])("fails closed when it %s", (_, hook) => {
    const redactor = createRedactor({ redact: hook as unknown as (text: string) => string });
    expect(redactor.value(["content"], "a")).toEqual(["[redacted: error]"]);
    expect(redactor.text("content", "a")).toBe("[redacted: error]");
  });
});
