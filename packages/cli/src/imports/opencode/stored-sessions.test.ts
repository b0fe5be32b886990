import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { assemble } from "@thoughtflow/assemble";
import { canonicalJson } from "@thoughtflow/schema";
import { afterAll, expect, test } from "vitest";
import { recordsOf } from "../../../testing/imported-records.ts";
import { specimenOf } from "../../../testing/loss-specimen.ts";
import { filesBelow, sourceFile, sourceText } from "../source-file.ts";
import { opencode } from "./opencode.ts";

interface Exported {
  readonly info: {
    readonly id: string;
    readonly parentID?: string;
    readonly title?: string;
    readonly version?: string;
    readonly time: { readonly created: number; readonly updated: number };
  };
  readonly messages: readonly {
    readonly info: {
      readonly id: string;
      readonly time: { readonly created: number };
      readonly [name: string]: unknown;
    };
    readonly parts: readonly Readonly<Record<string, unknown>>[];
  }[];
}

const exported = Object.entries(specimenOf("opencode")).filter(([name]) => name.startsWith("ses_"));
const sessions = exported.map(([, text]) => JSON.parse(text) as Exported);
const directory = mkdtempSync(join(tmpdir(), "opencode-"));
afterAll(() => rmSync(directory, { recursive: true }));

async function documentsBelow(path: string): Promise<readonly string[]> {
  const paths = await filesBelow(path, (name) => opencode.takes?.(name) ?? true);
  const { records } = await recordsOf(
    opencode,
    paths.map((one) => sourceFile(one, one)),
  );
  return assemble(records).map(canonicalJson);
}

const { records } = await recordsOf(
  opencode,
  exported.map(([name, text]) => sourceText(text, name)),
);
const expected = assemble(records).map(canonicalJson);

test("sessions in a database are those that it exports", async () => {
  const path = join(directory, "database", "opencode.db");
  mkdirSync(dirname(path));
  const database = new DatabaseSync(path);
  database.exec(`
    CREATE TABLE session (id text, parent_id text, title text, version text, time_created integer, time_updated integer);
    CREATE TABLE message (id text, session_id text, time_created integer, data text);
    CREATE TABLE part (id text, message_id text, session_id text, data text)`);
  const insert = (table: string, ...values: (string | number | null)[]) =>
    database
      .prepare(`INSERT INTO ${table} VALUES (${values.map(() => "?").join()})`)
      .run(...values);
  let count = 0;
  for (const { info, messages } of sessions) {
    const { id, parentID = null, title = "", version = "", time } = info;
    insert("session", id, parentID, title, version, time.created, time.updated);
    for (const { info: message, parts } of messages) {
      const { id: messageId, ...body } = message;
      insert("message", messageId, id, message.time.created, JSON.stringify(body));
      for (const part of parts) {
        const partId = `prt_${String(++count).padStart(4, "0")}`;
        insert("part", partId, messageId, id, JSON.stringify({ ...part, id: undefined }));
      }
    }
  }
  database.close();
  expect(await documentsBelow(dirname(path))).toEqual(expected);
});

/** Where a version keeps what. */
interface Layout {
  readonly session: (id: string) => string;
  readonly message: (session: string, id: string) => string;
  readonly part: (session: string, message: string, id: string) => string;
  /** What else lies there. */
  readonly others: Readonly<Record<string, unknown>>;
}

const LAYOUTS: Readonly<Record<string, Layout>> = {
  "since 0.6": {
    session: (id) => `session/p/${id}`,
    message: (session, id) => `message/${session}/${id}`,
    part: (_, message, id) => `part/${message}/${id}`,
    others: { "project/p": { id: "p" } },
  },
  "before that": {
    session: (id) => `session/info/${id}`,
    message: (session, id) => `session/message/${session}/${id}`,
    part: (session, message, id) => `session/part/${session}/${message}/${id}`,
    others: { "session/share/ses_1": { secret: "s", url: "u" } },
  },
};

test.each(Object.entries(LAYOUTS))(
  "sessions in a storage are those that the program exports: %s",
  async (name, layout) => {
    const root = join(directory, name, "storage");
    const write = (name: string, value: unknown): void => {
      const path = join(root, `${name}.json`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify(value));
    };
    for (const [path, value] of Object.entries(layout.others)) write(path, value);
    let count = 0;
    for (const { info, messages } of sessions) {
      write(layout.session(info.id), info);
      for (const { info: message, parts } of messages) {
        write(layout.message(info.id, message.id), message);
        for (const part of parts)
          write(layout.part(info.id, message.id, `prt_${String(++count).padStart(4, "0")}`), part);
      }
    }
    expect(await documentsBelow(root)).toEqual(expected);
  },
);

test("a database of something else is told to be none of opencode", async () => {
  const path = join(directory, "opencode-other.db");
  writeFileSync(path, "no database");
  await expect(recordsOf(opencode, [sourceFile(path, path)])).rejects.toThrow(
    "it is no database of opencode",
  );
});

test("a row or a file that is no JSON is left out, and told by its name", async () => {
  const cut = '{"type":';
  const rows = join(directory, "broken", "opencode.db");
  mkdirSync(dirname(rows));
  cpSync(join(directory, "database", "opencode.db"), rows);
  const database = new DatabaseSync(rows);
  database.prepare("UPDATE part SET data = ? WHERE id = 'prt_0001'").run(cut);
  database.close();
  const files = join(directory, "broken", "storage");
  cpSync(join(directory, "since 0.6", "storage"), files, { recursive: true });
  const [part = ""] = await filesBelow(files, (path) => path.endsWith("prt_0001.json"));
  writeFileSync(part, cut);
  const [[name, text] = ["", ""], ...others] = exported;
  const whole = JSON.parse(text);
  whole.messages[0].parts.shift();
  const { records: left } = await recordsOf(opencode, [
    sourceText(JSON.stringify(whole), name),
    ...others.map(([other, its]) => sourceText(its, other)),
  ]);
  for (const [below, told] of [
    [rows, `${rows}: part prt_0001`],
    [files, part],
  ] as const) {
    const paths = below === rows ? [rows] : await filesBelow(files, () => true);
    const { records, warnings } = await recordsOf(
      opencode,
      paths.map((path) => sourceFile(path, path)),
    );
    expect(assemble(records).map(canonicalJson)).toEqual(assemble(left).map(canonicalJson));
    const named = warnings.filter((line) => line.includes("it is no JSON"));
    expect(named).toEqual([expect.stringContaining(`${told}: it can't be read: it is no JSON: `)]);
  }
});
