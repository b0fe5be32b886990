import { badArguments } from "./command-error.ts";

/**
 * The header that `--header` gives, as `Name: value`; nothing where it is not given.
 *
 * @throws CommandError for what is no header
 */
export function headersFrom(text: string | undefined): Readonly<Record<string, string>> {
  if (text === undefined) return {};
  const [, name, value] = /^([\w-]+)\s*:\s*(.*)$/.exec(text) ?? [];
  if (name === undefined || value === undefined)
    throw badArguments(`--header takes "Name: value", not "${text}".`);
  return { [name.toLowerCase()]: value };
}
