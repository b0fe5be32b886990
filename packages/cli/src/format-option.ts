import type { CommandOption } from "./command.ts";

/** `--format`, for every command that prints data: for people, as JSON, as JSON on one line. */
export const FORMAT_OPTION: CommandOption = {
  value: "FORMAT",
  choices: ["pretty", "json", "raw"],
  summary: "pretty (default) for people, json, or raw: json on one line",
};
