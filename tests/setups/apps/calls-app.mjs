import OpenAI from "openai";
import { calls } from "./calls.cjs";

console.log(JSON.stringify(await calls(OpenAI)));
