import { type AgentGraph, agentGraph } from "./agent-graph.ts";
import type { Renderer } from "./renderer.ts";
import { svgText } from "./svg-text.ts";

/** The agents and their requests as GraphML, for Gephi, yEd, NetworkX. */
export const graphml: Renderer = {
  name: "graphml",
  mediaType: "application/graphml+xml",
  fileExtension: ".graphml",
  render: (session, options) => graphmlOf(agentGraph(session, options)),
};

export function graphmlOf({ agents, edges }: AgentGraph): string {
  const data = (key: string, value: string | number): string =>
    `<data key="${key}">${svgText(String(value))}</data>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">',
    '  <key id="label" for="node" attr.name="label" attr.type="string"/>',
    '  <key id="agent" for="node" attr.name="agent" attr.type="string"/>',
    '  <key id="type" for="edge" attr.name="type" attr.type="string"/>',
    '  <key id="confidence" for="edge" attr.name="confidence" attr.type="double"/>',
    '  <graph id="workflow" edgedefault="directed">',
    ...agents.flatMap(({ label: agent, requests }) =>
      requests.map(
        ({ id, label }) =>
          `    <node id="${svgText(id)}">${data("label", label)}${data("agent", agent)}</node>`,
      ),
    ),
    ...edges.map(
      ({ source, target, type, confidence }, at) =>
        `    <edge id="e${at}" source="${svgText(source)}" target="${svgText(target)}">${data("type", type)}${data("confidence", confidence)}</edge>`,
    ),
    "  </graph>",
    "</graphml>",
    "",
  ].join("\n");
}
