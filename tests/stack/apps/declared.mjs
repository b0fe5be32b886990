// A program that says itself what its steps rest on, also across runs.
import { recordStep, userMessage, withRun, withSession, withToolCall } from "@thoughtflow/tracing";

withSession({ id: "umbrella" }, () => {
  let forecast;
  withRun({ id: "ask", agent: "weather" }, () => {
    const question = userMessage("Will it rain in Oslo?", { id: "question" });
    withToolCall({ id: "forecast", name: "forecast", dependsOn: question }, (step) => {
      forecast = step;
      return { rain: true };
    });
  });
  withRun({ id: "decide", agent: "weather" }, () => {
    const dependsOn = { on: forecast, type: "reads" };
    recordStep({ id: "umbrella", label: "thought", input: { thought: "Take one." }, dependsOn });
  });
});
