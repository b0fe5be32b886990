#!/usr/bin/env node
import { processIo } from "./process-io.ts";
import { thoughtflow } from "./thoughtflow.ts";

// Not `process.exit`: what is still in stdout's pipe would be lost.
process.exitCode = await thoughtflow(process.argv.slice(2), processIo());
