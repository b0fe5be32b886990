import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { sendAtExit } from "./send-at-exit.ts";

test("what got no answer in time is given up: no thread waits on, in a process that goes on after all", async () => {
  // Takes everything and never answers.
  const receiver = createServer((socket) => socket.resume()).listen(0, "127.0.0.1");
  onTestFinished(() => void receiver.close());
  await once(receiver, "listening");
  const connected = once(receiver, "connection");
  const { port } = receiver.address() as AddressInfo;
  const destination = {
    ...{ url: `http://127.0.0.1:${port}/v1/traces`, headers: {} },
    ...{ protocol: "http/json" as const, tls: {} },
  };
  expect(sendAtExit(destination, [Buffer.from("{}")], 2_000)).toEqual([false]);
  const [socket]: Socket[] = await connected;
  // Nothing but the end of the thread ends the connection.
  await once(socket as Socket, "close");
});
