import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const TICKS_A_SECOND = 100;

/** A program that takes requests, as a process of its own whose CPU time and memory the kernel tells. Linux only. */
export function startServer(program, args, env = process.env) {
  const child = spawn(program, args, { env, stdio: ["ignore", "pipe", "inherit"] });
  return {
    stdout: child.stdout,
    /** Seconds of CPU since it began, of all its threads. */
    cpu() {
      const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1].split(" ");
      return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
    },
    /** MiB, at most so far. */
    memory() {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024;
    },
    async end(signal) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await ended;
    },
  };
}

function send(url, agent, body, headers) {
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      method: "POST",
      agent,
      headers: { "content-type": "application/x-protobuf", ...headers },
    });
    sent.on("error", reject);
    sent.on("response", (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode));
    });
    sent.end(body);
  });
}

/** All bodies, over so many connections; the answers in the order of the bodies. */
export async function sendAll(url, bodies, headers, connections) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const answers = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let at = next++; at < bodies.length; at = next++)
        answers[at] = await send(url, agent, bodies[at], headers);
    }),
  );
  agent.destroy();
  return answers;
}

/** Until it has done what there is to do. */
export async function quiet(server) {
  let before;
  do {
    before = server.cpu();
    await sleep(2_000);
  } while (server.cpu() > before + 0.05);
}
