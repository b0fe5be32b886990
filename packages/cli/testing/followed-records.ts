import { isSpan } from "@thoughtflow/dialects/spans";
import type { FlowRecord } from "@thoughtflow/schema";
import { ATTR_SESSION_ID } from "@thoughtflow/semconv";
import { createImportReport } from "../src/imports/create-import-report.ts";
import { NOTHING_EARLIER } from "../src/imports/earlier-imports.ts";
import type { ImportFormat } from "../src/imports/import-format.ts";
import { createLiveRecords } from "../src/imports/live-records.ts";
import { sourceText } from "../src/imports/source-file.ts";

/** What an import tells of a file that it follows while each of its lines is written, and at its end, without what gives way then. */
export async function followedRecords(
  format: ImportFormat,
  text: string,
  name: string,
): Promise<readonly FlowRecord[]> {
  const lines = text.trim().split("\n");
  const live = createLiveRecords(true, () => 0);
  const records: FlowRecord[] = [];
  const gone = new Set<unknown>();
  const earlier = { ...NOTHING_EARLIER, isPart: (id: string) => void gone.add(id) };
  for (let count = 1; count <= lines.length + 1; count++) {
    const isLast = count > lines.length;
    const file = {
      ...sourceText(`${lines.slice(0, count).join("\n")}\n`, name),
      isGrowing: !isLast,
    };
    const read = format.read(
      [file],
      createImportReport(() => {}),
      !isLast,
      earlier,
    );
    for await (const record of live.round(read, isLast)) records.push(record);
  }
  return records.filter((one) => !isSpan(one) || !gone.has(one.attributes[ATTR_SESSION_ID]));
}
