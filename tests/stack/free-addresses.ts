import { once } from "node:events";
import { createServer } from "node:net";

/** Addresses that nothing listens on: all are held at once, then let go. */
export async function freeAddresses(count: number): Promise<readonly string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const addresses = servers.map((server) => {
    const address = server.address();
    return typeof address === "object" && address !== null ? `127.0.0.1:${address.port}` : "";
  });
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return addresses;
}
