// An app in ES modules. The file given as its argument sets up OpenTelemetry, late: after openai was loaded and the app
// had a moment of rest.
import { setTimeout } from "node:timers/promises";
import * as api from "@opentelemetry/api";
import OpenAI from "openai";
import { agent } from "../apps/agent.cjs";
import { report } from "../apps/own-spans.cjs";

const [lateSetup] = process.argv.slice(2);
if (lateSetup !== undefined) {
  await setTimeout(20);
  await import(lateSetup);
}
const answers = await agent({ OpenAI, api });
process.once("exit", () => report(answers));
