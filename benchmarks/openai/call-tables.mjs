import { table } from "../report.mjs";
import { median, quantile, tenthPercentile } from "../statistics.mjs";
import { goals, mostPerChunk, ratios } from "./goals.mjs";

/** Figures that vary by more than this between the halves of the sets of processes are marked. */
const UNSURE = { µs: 2, share: 0.2 };

/** Above this, bare calls differ so much between those halves that the machine was not quiet. */
const QUIET = 0.05;

/** The tables of a measurement, as lines of Markdown. */
export function callTables({ variants, scenarios, chosenScenarios, sets }) {
  const bareAt = variants.findIndex(({ name }) => name === "bare");

  /** Of some blocks of one set: what a call takes, 10th percentile; and of the bare blocks beside them. */
  const took = (pairs, variant, at, key) =>
    tenthPercentile(pairs(variant, at).map((own) => own[key]));
  const bare = (pairs, variant, at, key) =>
    tenthPercentile(pairs(variant, at).map((own) => own.bare[key]));
  const more = (pairs, variant, at, key) =>
    took(pairs, variant, at, key) - bare(pairs, variant, at, key);

  const wholes = sets.map((set) => (variant, at) => set[variant][at].pairs);
  const halves = sets.flatMap((set) =>
    [0, 1].map(
      (half) => (variant, at) =>
        set[variant][at].pairs.filter((_, pair, { length }) => pair < length / 2 === (half === 0)),
    ),
  );

  /** The middle of the sets; half the distance between what the halves of all sets say. */
  const overSets = (value) => {
    const values = halves.map(value);
    return {
      value: median(wholes.map(value)),
      spread: (Math.max(...values) - Math.min(...values)) / 2,
    };
  };
  const added = (variant, at, key) => overSets((pairs) => more(pairs, variant, at, key));

  const chosen = chosenScenarios.map((at) => ({ at, ...scenarios[at] }));
  const measured = variants
    .map((variant, index) => ({ ...variant, index }))
    .filter(({ index }) => index !== bareAt);

  const digits = (value) => value.toFixed(Math.abs(value) < 10 ? 1 : 0);
  const figure = ({ value, spread }) => {
    const isUnsure = spread > UNSURE.µs && spread > UNSURE.share * Math.abs(value);
    return `${isUnsure ? "~" : ""}${digits(value)}`;
  };
  const both = (variant, at) =>
    `${figure(added(variant, at, "hot"))} / ${figure(added(variant, at, "total"))}`;

  const perCall = table(
    ["added, µs a call: hot / total", ...chosen.map(({ name }) => name)],
    [
      [
        "**bare**, µs a call",
        ...chosen.map(({ at }) =>
          digits(overSets((pairs) => took(pairs, bareAt, at, "hot")).value),
        ),
      ],
      ...measured.map(({ name, index }) => [name, ...chosen.map(({ at }) => both(index, at))]),
    ],
  );

  const streams = chosen.filter(({ chunks }) => chunks !== undefined);
  const [shortest, longest] = [streams.at(0), streams.at(-1)];
  const slope = (time) =>
    overSets(
      (pairs) =>
        (time(pairs, longest.at) - time(pairs, shortest.at)) / (longest.chunks - shortest.chunks),
    );
  const slopes =
    shortest === longest
      ? []
      : [
          "",
          ...table(
            [`a chunk of a chat stream, µs (slope); the goal is ≤ ${mostPerChunk}`, "hot", "total"],
            [
              [
                "**bare**",
                slope((pairs, at) => took(pairs, bareAt, at, "hot")).value.toFixed(2),
                "",
              ],
              ...measured.map(({ name, index }) => [
                name,
                ...["hot", "total"].map((key) => {
                  const { value, spread } = slope((pairs, at) => more(pairs, index, at, key));
                  return `${value.toFixed(2)} ± ${spread.toFixed(2)}`;
                }),
              ]),
            ],
          ),
        ];

  const incomplete = measured.flatMap(({ name, index }) => {
    const gaps = chosen.flatMap(({ name: scenario, at }) => {
      const { missing } = sets[0][index][at];
      return missing.length === 0 ? [] : [`${scenario}: ${missing.join(", ")}`];
    });
    return gaps.length === 0 ? [] : [`- ${name}: ${gaps.join("; ")}`];
  });

  const documents = measured
    .filter(({ index }) => sets[0][index][chosen[0].at].documents.some((each) => each > 1))
    .map(
      ({ name, index }) =>
        `${name}, documents and pictures afterwards, µs a call: ${chosen
          .map(
            ({ name: scenario, at }) =>
              `${scenario} ${digits(median(sets.map((set) => tenthPercentile(set[index][at].documents))))}`,
          )
          .join(", ")}.`,
    );

  const peers = measured.filter(
    ({ name, hasContent }) => hasContent !== false && !name.startsWith("ThoughtFlow"),
  );
  const beside = goals.flatMap(({ scenario, key, most, variant = "ThoughtFlow" }) => {
    const at = chosen.find(({ name }) => name === scenario)?.at;
    const index = measured.find(({ name }) => name === variant)?.index;
    if (at === undefined || index === undefined) return [];
    const theirs = peers
      .map((peer) => ({ name: peer.name, figure: added(peer.index, at, key) }))
      .sort((a, b) => a.figure.value - b.figure.value);
    return [
      [
        `${scenario}: ${key}${variant === "ThoughtFlow" ? "" : ` (${variant})`}`,
        `≤ ${most}`,
        figure(added(index, at, key)),
        theirs.map((peer) => `${peer.name} ${figure(peer.figure)}`).join(", "),
      ],
    ];
  });

  const timesLess = ratios.flatMap(({ scenario, least, peers: among }) => {
    const at = chosen.find(({ name }) => name === scenario)?.at;
    const index = measured.find(({ name }) => name === "ThoughtFlow")?.index;
    if (at === undefined || index === undefined) return [];
    const own = added(index, at, "hot").value;
    return peers
      .filter(({ name }) => among.test(name))
      .map((peer) => [
        `${scenario}: hot`,
        `≥ ${least} × less than ${peer.name}`,
        `${(added(peer.index, at, "hot").value / own).toFixed(1)} ×`,
        "",
      ]);
  });

  const spreads = measured.flatMap(({ index }) =>
    chosen.map(({ at }) => added(index, at, "total").spread),
  );
  const bareSpreads = chosen.map(({ at }) => {
    const { value, spread } = overSets((pairs) => took(pairs, bareAt, at, "hot"));
    return spread / value;
  });
  const isQuiet = median(bareSpreads) <= QUIET;

  return [
    ...perCall,
    ...slopes,
    "",
    ...table(["µs a call", "goal", "reached", "peers, the least first"], [...beside, ...timesLess]),
    "",
    ...documents,
    `Half the distance between what the halves of all sets say, all totals above: median ${digits(median(spreads))} µs, nine in ten below ${digits(quantile(spreads, 0.9))} µs.`,
    ...(isQuiet
      ? []
      : [
          "",
          `**The machine was not quiet:** bare calls differ by ±${Math.round(median(bareSpreads) * 100)} % between the halves of the sets.`,
        ]),
    "",
    ...(incomplete.length === 0
      ? ["Each records all of each scenario."]
      : ["Not recorded:", "", ...incomplete]),
  ];
}
