import { compactionStyle } from "./compaction-mark.ts";
import { hues, lineColors, stateColors } from "./palette.ts";
import { stepKinds } from "./step-kind.ts";

const kinds = (dark: boolean): string =>
  stepKinds
    .map((kind) => {
      const hue = hues[kind];
      const [fill, text] = dark ? [hue.darkFill, hue.darkText] : [hue.fill, hue.text];
      return `.k-${kind}{fill:${fill};stroke:${hue.stroke}}.i-${kind}{fill:${text}}`;
    })
    .join("");

const lines = `.declared{stroke:${lineColors.declared};stroke-width:1.8}.observed{stroke:${lineColors.observed};stroke-width:1.2}.inferred{stroke:${lineColors.inferred};stroke-width:1.4;stroke-dasharray:5 3}.m-declared{fill:${lineColors.declared}}.m-observed{fill:${lineColors.observed}}.m-inferred{fill:${lineColors.inferred}}`;

const states = `.error{stroke:${stateColors.error};stroke-width:2}.running{stroke:${stateColors.running};stroke-width:1.6;stroke-dasharray:4 3}.stopped{stroke:${stateColors.stopped};stroke-width:1.6;stroke-dasharray:4 3}.w-error{fill:${stateColors.error}}.w-running{fill:${stateColors.running}}.w-stopped{fill:${stateColors.stopped}}`;

/** The drawing's own style sheet: all colours, with a second set for readers who prefer dark. No text of data. */
export const svgStyle: string = `
text{font-family:Inter,system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-size:11px;fill:#334155}
.ground{fill:#ffffff}.band{fill:#f8fafc;stroke:#e2e8f0}.title{font-size:17px;font-weight:600;fill:#0f172a}.heading{font-size:12.5px;font-weight:600;fill:#0f172a}.faint{fill:#64748b}.name{fill:#64748b;text-anchor:end}.before{text-anchor:end}
.label{paint-order:stroke;stroke:#f8fafc;stroke-width:5px;stroke-linejoin:round}.tick{stroke:#e2e8f0}.break{fill:#e2e8f0;fill-opacity:.4}.zigzag{fill:none;stroke:#94a3b8}
.revised rect,rect.revised{fill-opacity:.4;stroke-dasharray:3 2}.revised text{text-decoration:line-through;opacity:.75}.k-fold{fill:#e2e8f0;stroke:#94a3b8}.i-fold{fill:#334155}.arrow{fill:none;opacity:.8}${compactionStyle.light}${kinds(false)}${lines}${states}
@media (prefers-color-scheme: dark){
text{fill:#cbd5e1}.ground{fill:#0d1117}.band{fill:#141b24;stroke:#263241}.title,.heading{fill:#f1f5f9}.faint,.name{fill:#93a1b5}
.label{stroke:#141b24}.tick{stroke:#263241}.break{fill:#263241}.zigzag{stroke:#64748b}${compactionStyle.dark}.k-fold{fill:#2b3441;stroke:#64748b}.i-fold{fill:#e2e8f0}${kinds(true)}
.declared{stroke:#60a5fa}.m-declared{fill:#60a5fa}.observed{stroke:#94a3b8}.m-observed{fill:#94a3b8}.inferred{stroke:#fbbf24}.m-inferred{fill:#fbbf24}.error{stroke:#f87171}.w-error{fill:#f87171}.running{stroke:#60a5fa}.w-running{fill:#60a5fa}.stopped{stroke:#c084fc}.w-stopped{fill:#c084fc}
}
`;
