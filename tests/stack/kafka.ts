import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../architecture/packages.ts";
import { freeAddresses } from "./free-addresses.ts";
import { startProgram } from "./running-program.ts";
import { TOOL_CACHE } from "./tool-cache.ts";

const POM = join(ROOT, "tests/stack/kafka/pom.xml");
/** The version that the pom names. */
const KAFKA = "kafka-4.2.0";

/** A running broker. */
export interface Kafka extends AsyncDisposable {
  /** `host:port` */
  readonly brokers: string;
}

/** One broker, its own controller, with its data in a directory that goes with it, on free loopback ports. */
export async function startKafka(): Promise<Kafka> {
  const [broker = "", controller = ""] = await freeAddresses(2);
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-kafka-"));
  const properties = join(dir, "server.properties");
  writeFileSync(properties, propertiesOf(broker, controller, join(dir, "data")));
  const java = ["-Xmx512m", `-Dkafka.logs.dir=${dir}`, "-cp", join(kafkaLibraries(), "*")];
  const id = Buffer.alloc(16, 7).toString("base64url");
  const format = ["format", "--standalone", "--cluster-id", id, "--config", properties];
  run("java", [...java, "kafka.tools.StorageTool", ...format]);
  const running = await startProgram("java", {
    args: [...java, "kafka.Kafka", properties],
    isReady: () => listens(broker),
    patienceMillis: 120_000,
    tidy: () => rm(dir, { recursive: true, force: true }),
  });
  return { ...running, brokers: broker };
}

/**
 * The folder with Kafka's libraries: fetched when it is first asked for, then kept.
 *
 * @throws where Maven is not there, or fails, with the command that was tried.
 */
export function kafkaLibraries(): string {
  const kept = join(TOOL_CACHE, KAFKA);
  const whole = join(kept, "whole");
  const libraries = join(kept, "libs");
  if (existsSync(whole)) return libraries;
  console.error(`Fetching ${KAFKA} into ${kept}, once …`);
  rmSync(kept, { recursive: true, force: true });
  mkdirSync(kept, { recursive: true });
  const to = ["-DincludeScope=runtime", `-DoutputDirectory=${libraries}`];
  run("mvn", ["-q", "-B", "-f", POM, "dependency:copy-dependencies", ...to]);
  writeFileSync(whole, "");
  return libraries;
}

function propertiesOf(broker: string, controller: string, data: string): string {
  return Object.entries({
    "process.roles": "broker,controller",
    "node.id": 1,
    "controller.quorum.bootstrap.servers": controller,
    listeners: `PLAINTEXT://${broker},CONTROLLER://${controller}`,
    "advertised.listeners": `PLAINTEXT://${broker}`,
    "controller.listener.names": "CONTROLLER",
    "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
    "log.dirs": data,
    "num.partitions": 4,
    "offsets.topic.num.partitions": 4,
    "offsets.topic.replication.factor": 1,
    "group.initial.rebalance.delay.ms": 0,
    "message.max.bytes": 16_777_216,
  })
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}

function listens(address: string): Promise<boolean> {
  const [host = "", port] = address.split(":");
  return new Promise((resolve) => {
    const socket = connect(Number(port), host);
    const answered = (is: boolean) => () => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", answered(true)).once("error", answered(false));
  });
}

function run(command: string, args: readonly string[]): void {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8" });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(" ")}\n${error?.message ?? ""}${stdout}${stderr}`);
}
