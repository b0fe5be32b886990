/** What a spool file's name says of it; so a listing of the folder is all that a reader needs. */
export interface SpoolFileName {
  /** Milliseconds since 1970 when it was written: the files' order. */
  readonly writtenAt: number;
  /** Files of one writer and millisecond in their order. */
  readonly number: number;
  /** Who wrote it, 8 hex digits. */
  readonly writer: string;
  readonly spans: number;
  readonly bytes: number;
  /** CRC-32 of the content. */
  readonly checksum: number;
}

/** Who is sending a file right now: a second part of its name. */
export interface SpoolClaim {
  readonly pid: number;
  readonly writer: string;
  /** Milliseconds since 1970. */
  readonly claimedAt: number;
}

const NAME = /^(\d{13})-(\d{6})-([0-9a-f]{8})-(\d{1,9})-(\d{1,10})-([0-9a-f]{8})\.otlp$/;
const CLAIM = /^(.*)\.(\d{1,10})-([0-9a-f]{8})-(\d{13})$/;

/** `<ms>-<number>-<writer>-<spans>-<bytes>-<crc32>.otlp`, in the order of which files were written. */
export function spoolFileName(name: SpoolFileName): string {
  const { writtenAt, number, writer, spans, bytes, checksum } = name;
  const order = `${String(writtenAt).padStart(13, "0")}-${String(number).padStart(6, "0")}`;
  return `${order}-${writer}-${spans}-${bytes}-${checksum.toString(16).padStart(8, "0")}.otlp`;
}

/** `<name>.<pid>-<writer>-<ms>` */
export function claimedName(name: string, { pid, writer, claimedAt }: SpoolClaim): string {
  return `${name}.${pid}-${writer}-${String(claimedAt).padStart(13, "0")}`;
}

/** A file of the spool by its name, `undefined` for any other file. */
export interface SpoolFile extends SpoolFileName {
  /** Of the file as it lies there. */
  readonly present: string;
  /** Without a claim. */
  readonly name: string;
  readonly claim?: SpoolClaim;
}

export function parseSpoolFile(present: string): SpoolFile | undefined {
  const [, claimed, pid, claimer = "", claimedAt] = CLAIM.exec(present) ?? [];
  const name = claimed ?? present;
  const [, writtenAt, number, writer = "", spans, bytes, checksum = ""] = NAME.exec(name) ?? [];
  if (writtenAt === undefined) return undefined;
  const claim = { pid: Number(pid), writer: claimer, claimedAt: Number(claimedAt) };
  return {
    present,
    name,
    writtenAt: Number(writtenAt),
    number: Number(number),
    writer,
    spans: Number(spans),
    bytes: Number(bytes),
    checksum: Number.parseInt(checksum, 16),
    ...(claimed !== undefined && { claim }),
  };
}
