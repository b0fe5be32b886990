import { context } from "@opentelemetry/api";
import { checkFunction, optionCheck } from "./checks.ts";
import { stepOf } from "./flow-context.ts";
import type { StepHandle } from "./handles.ts";
import { observeResult } from "./observe-result.ts";
import { openStep, type StepOptions } from "./open-step.ts";
import { silentStep } from "./silence.ts";

/** A step that is over when it is recorded. */
export interface MomentOptions extends StepOptions {
  /** What came of it. */
  readonly output?: unknown;
}

const STEP_OPTIONS = {
  label: "id",
  name: "string",
  id: "id",
  model: "string",
  dependsOn: "dependencies",
  attributes: "object",
} as const;

const checkStep = optionCheck("withStep", STEP_OPTIONS, ["label"]);
const checkMoment = optionCheck("recordStep", STEP_OPTIONS, ["label"]);

/**
 * Runs a function as a step of the open run; outside any run the step gets one of its own. What the function
 * returns is the step's result unless `setOutput` says otherwise; what it throws is the step's error. Both reach
 * the caller unchanged.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function withStep<T>(options: StepOptions, fn: (step: StepHandle) => T): T {
  checkStep(options);
  checkFunction("withStep", fn);
  const step = openStep(options);
  if (step === undefined) return fn(silentStep(options.id));
  return observeResult(() => context.with(step.context, fn, undefined, step.handle), {
    returned: step.end,
    threw: step.fail,
  });
}

/**
 * Records a step that has no duration.
 *
 * @throws TypeError when an option has the wrong type.
 */
export function recordStep(options: MomentOptions): StepHandle {
  checkMoment(options);
  const step = openStep(options);
  if (step === undefined) return silentStep(options.id);
  step.endAtOnce(options.output);
  return step.handle;
}

/** The innermost step that is open here, if one is. */
export function activeStep(): StepHandle | undefined {
  return stepOf(context.active());
}
