import { describe, expect, it } from "vitest";
import { toExchange } from "./exchange.ts";
import { listRecordings } from "./list-recordings.ts";
import { loadExchanges } from "./load-exchanges.ts";
import { createReplayServer } from "./replay-server.ts";

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, { method: "POST", body: JSON.stringify(body) });

describe("the replay server", () => {
  it("answers every exchange of every recording byte for byte, however the stream is cut", async () => {
    for (const name of listRecordings()) {
      const exchanges = loadExchanges(name);
      await using server = await createReplayServer(exchanges, { splitSeed: 7 });
      for (const exchange of exchanges) {
        const answer = await post(server.url + exchange.path, exchange.request.body);
        expect([answer.status, await answer.text()]).toEqual([
          exchange.response.status,
          exchange.response.body,
        ]);
      }
      expect(server.requests.map((request) => request.body)).toEqual(
        exchanges.map((exchange) => exchange.request.body),
      );
    }
  });

  it("matches by path where asked, and refuses what was never recorded", async () => {
    const exchanges = [toExchange("/v1/a", { n: 1 }), toExchange("/v1/b", { n: 2 })];
    await using server = await createReplayServer(exchanges, { match: "path" });
    expect(await (await post(`${server.url}/v1/b`, {})).json()).toEqual({ n: 2 });
    expect((await post(`${server.url}/v1/b`, {})).status).toBe(500);
  });

  it("injects what it is told: a status first, then a cut socket", async () => {
    const exchanges = [toExchange("/v1/a", "data: 1\n\ndata: 2\n\n")];
    await using server = await createReplayServer(exchanges, {
      faults: { 0: { kind: "status", status: 429 }, 1: { kind: "cut", afterBytes: 12 } },
    });
    expect((await post(`${server.url}/v1/a`, {})).status).toBe(429);
    await expect((await post(`${server.url}/v1/a`, {})).text()).rejects.toThrow();
  });
});
