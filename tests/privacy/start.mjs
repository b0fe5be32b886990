// Starts ThoughtFlow with the options that OPTIONS holds, before the app.
import { startThoughtFlow } from "@thoughtflow/node";

startThoughtFlow(JSON.parse(process.env.OPTIONS));
