import { hues, lineColors, stateColors } from "./palette.ts";
import { stepKinds } from "./step-kind.ts";

const steps = stepKinds.map((kind) => {
  const { fill, stroke, text } = hues[kind];
  return shape(
    kind,
    `fill: "${fill}"; stroke: "${stroke}"; font-color: "${text}"; border-radius: 8`,
  );
});

/**
 * The head of every diagram. Steps bring their own fill and text colour, so they read on light and dark alike;
 * runs have none and take the theme's text colour, which follows the reader's colour scheme.
 */
export const d2Classes: string = `direction: down
vars: {
  d2-config: {
    layout-engine: elk
    theme-id: 0
    dark-theme-id: 200
  }
}
classes: {
${[
  shape(
    "run",
    `fill: transparent; stroke: "${lineColors.order}"; border-radius: 10; font-size: 20`,
  ),
  shape(
    "folded",
    `fill: transparent; stroke: "${lineColors.order}"; border-radius: 10; stroke-dash: 3`,
  ),
  ...steps,
  shape("revised", "opacity: 0.5; stroke-dash: 3; italic: true"),
  shape("error", `stroke: "${stateColors.error}"; stroke-width: 4`),
  shape("running", `stroke: "${stateColors.running}"; stroke-width: 3; stroke-dash: 5`),
  shape("stopped", `stroke: "${stateColors.stopped}"; stroke-width: 3; stroke-dash: 5`),
  shape("declared", `stroke: "${lineColors.declared}"; stroke-width: 3`),
  shape("observed", `stroke: "${lineColors.observed}"; stroke-width: 2`),
  shape("inferred", `stroke: "${lineColors.inferred}"; stroke-width: 2; stroke-dash: 5`),
  shape("order", `stroke: "${lineColors.order}"; stroke-width: 1; stroke-dash: 2`),
].join("\n")}
}`;

function shape(name: string, style: string): string {
  return `  ${name}: { style: { ${style} } }`;
}
