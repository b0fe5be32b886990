import { constants } from "node:fs";

/**
 * How files of a flow directory are opened: never behind a link, and never waiting for the other end of a pipe that somebody
 * has put in their place. Windows knows neither flag.
 */
const OWN = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const READ: number = constants.O_RDONLY | OWN;

export const APPEND: number = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | OWN;

/** Never a file that is there. */
export const APPEND_TO_NEW: number = APPEND | constants.O_EXCL;
