import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { httpAnswer } from "./http-answer.ts";

const BOUNDS = { timeoutMillis: 60_000, mostBytes: 1024 * 1024 };

async function served(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
}

test("an answer is read to its end, whatever its status; a user in the address becomes a header", async () => {
  const url = await served(({ headers }, response) => {
    response.statusCode = 403;
    response.end(`${headers.authorization} ${headers["x-scope-orgid"]}`);
  });
  url.username = "ada";
  url.password = "p@ss";
  const credentials = Buffer.from("ada:p@ss").toString("base64");
  expect(await httpAnswer(url, { ...BOUNDS, headers: { "x-scope-orgid": "7" } })).toEqual({
    status: 403,
    text: `Basic ${credentials} 7`,
  });
});

test("an answer that trickles is given up at the deadline", async () => {
  const url = await served((_request, response) => {
    const timer = setInterval(() => response.write(" "), 10);
    response.on("close", () => clearInterval(timer));
  });
  await expect(httpAnswer(url, { ...BOUNDS, timeoutMillis: 100 })).rejects.toThrow(
    "no whole answer in 100 ms",
  );
});

test("an answer without end is read no further than it may be long, and its connection ended", async () => {
  let tellClosed = () => {};
  const closed = new Promise<void>((resolve) => {
    tellClosed = resolve;
  });
  const url = await served((_request, response) => {
    const more = () => {
      while (response.writable && response.write("x".repeat(65_536)));
    };
    response.on("drain", more).on("close", tellClosed);
    more();
  });
  await expect(httpAnswer(url, BOUNDS)).rejects.toThrow("the answer is longer than 1048576 bytes");
  await closed;
});

test("a redirect is not followed, and no message tells a password", async () => {
  const url = await served((_request, response) => {
    response.writeHead(302, { location: "http://127.0.0.1:1/" }).end();
  });
  url.username = "ada";
  url.password = "hunter2";
  const failure = await httpAnswer(url, BOUNDS).catch((error: Error) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(String(failure)).not.toContain("hunter2");
});
