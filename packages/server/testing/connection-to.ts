import { connect } from "node:net";

/**
 * Sends bytes that need be no HTTP to a port of this machine; gives what comes back until the connection is closed.
 *
 * @param ending says with the last byte that none will follow, as `shutdown(SHUT_WR)` does
 */
export function connectionTo(
  port: number,
  bytes: string | Uint8Array,
  ending: "open" | "half-closed" = "open",
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () =>
      ending === "open" ? socket.write(bytes) : socket.end(bytes),
    );
    let said = "";
    socket.on("data", (piece) => {
      said += piece.toString("latin1");
    });
    socket.on("error", () => {});
    socket.on("close", () => resolve(said));
  });
}
