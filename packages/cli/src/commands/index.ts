/** Every command, in the order in which the help lists them. */
import type { Command } from "../command.ts";
import { convert } from "./convert.ts";
import { demo } from "./demo.ts";
import { doctor } from "./doctor.ts";
import { init } from "./init.ts";
import { list } from "./list.ts";
import { recover } from "./recover.ts";
import { run } from "./run.ts";
import { show } from "./show.ts";
import { validate } from "./validate.ts";
import { vulture } from "./vulture.ts";

export const COMMANDS: readonly Command[] = [
  demo,
  run,
  list,
  show,
  convert,
  validate,
  init,
  doctor,
  recover,
  vulture,
];
