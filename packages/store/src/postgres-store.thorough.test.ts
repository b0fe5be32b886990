import { afterAll } from "vitest";
import { startPostgres } from "../testing/postgres-server.ts";
import { postgresSuite } from "../testing/postgres-suite.ts";

const server = await startPostgres();
afterAll(() => server.stop());

postgresSuite("a PostgreSQL store", server.addressOf);
