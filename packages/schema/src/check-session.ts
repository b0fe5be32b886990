import { dependenciesOf } from "./dependencies-of.ts";
import { stepsClosingCycles } from "./dependency-cycles.ts";
import type { Run, Session, Step } from "./document.ts";
import type { Problem } from "./problem.ts";
import { createStepIndex, type StepIndex } from "./step-index.ts";

/**
 * What a schema can't say: step ids that occur twice in a run, dependencies that name no step, steps that rest
 * on themselves, at once or over others, prompt parts beyond the end of the prompt. The session can be read all the same.
 */
export function checkSession(session: Session): readonly Problem[] {
  const index = createStepIndex(session);
  const closing = stepsClosingCycles(session, index);
  return session.conversations.flatMap((run, runIndex) => {
    const seen = new Set<string>();
    return run.steps.flatMap((step, stepIndex) => {
      const path = ["conversations", runIndex, "steps", stepIndex];
      const repeated = seen.has(step.step_id);
      seen.add(step.step_id);
      return [
        ...(repeated ? [repeatedId(step, path)] : []),
        ...dependencyProblems(step, run, index, path),
        ...(closing.has(step) ? [cycle(path)] : []),
        ...assemblyProblems(step, path),
      ];
    });
  });
}

function repeatedId(step: Step, path: Problem["path"]): Problem {
  return {
    code: "repeated_step_id",
    path: [...path, "step_id"],
    message: `is ${JSON.stringify(step.step_id)}, as an earlier step of this run`,
    expected: "an id of its own",
  };
}

function cycle(path: Problem["path"]): Problem {
  return {
    code: "dependency_cycle",
    path: [...path, "depends_on"],
    message: "closes a cycle",
    expected: "steps that don't rest on this one",
  };
}

function dependencyProblems(
  step: Step,
  run: Run,
  index: StepIndex,
  path: Problem["path"],
): readonly Problem[] {
  return dependenciesOf(step).flatMap((id): Problem[] => {
    const target = index(id, run);
    const problem = { path: [...path, "depends_on"], expected: "the id of another step" };
    if (target?.step === step) {
      return [{ ...problem, code: "self_dependency", message: "names the step itself" }];
    }
    // `<trace id>/<step id>` names a step of another file.
    if (target !== undefined || /^[0-9a-f]{32}\//.test(id)) return [];
    const message = `names ${JSON.stringify(id)}, which is no step of this session`;
    return [{ ...problem, code: "dangling_dependency", message }];
  });
}

interface Assembly {
  readonly final_prompt?: unknown;
  readonly assembly?: unknown;
}

function assemblyProblems(step: Step, path: Problem["path"]): readonly Problem[] {
  const provenance = step.payload_started?.["prompt_provenance"] as Assembly | null | undefined;
  const { final_prompt: prompt, assembly } = provenance ?? {};
  if (typeof prompt !== "string" || !Array.isArray(assembly)) return [];
  return assembly.flatMap((range: unknown, rangeIndex): Problem[] => {
    const { start, end } = (range ?? {}) as { start?: unknown; end?: unknown };
    if (start === undefined && end === undefined) return [];
    const fits =
      Number.isInteger(start) &&
      Number.isInteger(end) &&
      isRange(Number(start), Number(end), prompt);
    if (fits) return [];
    return [
      {
        code: "wrong_range",
        path: [...path, "payload_started", "prompt_provenance", "assembly", rangeIndex],
        message: `is ${String(start)} to ${String(end)}`,
        expected: `a range within the prompt's ${prompt.length} characters`,
      },
    ];
  });
}

function isRange(start: number, end: number, prompt: string): boolean {
  return 0 <= start && start <= end && end <= prompt.length;
}
