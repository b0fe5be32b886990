import type { CommandOption } from "./command.ts";

/** `--format`, for every command that prints data: for people, as JSON, as JSON on one line. */
export const FORMAT_OPTION: CommandOption = {
  value: "FORMAT",
  choices: ["pretty", "json", "raw"],
  summary: "for people (default), as JSON, or as JSON on one line",
};
