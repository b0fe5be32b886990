import { execFileSync } from "node:child_process";
import { appendFile, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { initPostgres, postgresFolder } from "../../packages/store/testing/postgres-server.ts";
import type { Docker } from "./docker-daemon.ts";
import { copyLibraries } from "./image-files.ts";

const IMAGE = "thoughtflow-postgres-test";
/** Nobody's on any system; the server refuses to be root's. */
const OWNER = "70:70";

/** What of the server's own libraries is left out: its compiler for queries, which is as large as all else. */
const isNeeded = (path: string): boolean => !/\/bitcode|\/llvmjit/.test(path);

/** An image of nothing but the system's PostgreSQL and an empty database cluster, whose user `flow` needs no password. */
export async function buildPostgresImage(docker: Docker): Promise<string> {
  const bin = postgresFolder();
  if (bin === undefined) throw new Error("There is no PostgreSQL to make an image of.");
  const pathOf = (what: string): string =>
    execFileSync(join(bin, "pg_config"), [`--${what}`], { encoding: "utf8" }).trim();
  const dir = await mkdtemp(join(tmpdir(), "thoughtflow-postgres-image-"));
  try {
    // The data directory keeps its mode only as an entry of what is copied.
    const cluster = await mkdtemp(join(tmpdir(), "thoughtflow-postgres-cluster-"));
    initPostgres(bin, cluster, "C");
    await cp(cluster, join(dir, "owned"), { recursive: true });
    await rm(cluster, { recursive: true });
    await appendFile(join(dir, "owned", "data", "pg_hba.conf"), "host all all all trust\n");
    await mkdir(join(dir, "owned", "tmp"));
    const [library, shared, zones] = [
      pathOf("pkglibdir"),
      pathOf("sharedir"),
      "/usr/share/zoneinfo",
    ];
    await cp(join(bin, "postgres"), join(dir, "postgres"));
    await cp(library, join(dir, "library"), { recursive: true, filter: isNeeded });
    await cp(shared, join(dir, "shared"), { recursive: true, dereference: true });
    await cp(zones, join(dir, "zones"), { recursive: true, dereference: true });
    const lines = [
      "FROM scratch",
      `COPY postgres ${bin}/postgres`,
      ...(await copyLibraries([join(bin, "postgres")], dir)),
      `COPY library ${library}`,
      `COPY shared ${shared}`,
      `COPY zones ${zones}`,
      `COPY --chown=${OWNER} owned /`,
      `USER ${OWNER}`,
      `ENTRYPOINT ["${bin}/postgres", "-D", "/data", "-h", "*", "-k", "/tmp"]`,
    ];
    await writeFile(join(dir, "Dockerfile"), lines.join("\n"));
    await docker("build", "--quiet", "--tag", IMAGE, dir);
    return IMAGE;
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
