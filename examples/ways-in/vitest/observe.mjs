import { startThoughtFlow } from "@thoughtflow/node";
import OpenAI from "openai";
import { afterAll } from "vitest";

const flow = startThoughtFlow({ openai: OpenAI });
afterAll(() => flow.shutdown()); // vitest kills its workers
