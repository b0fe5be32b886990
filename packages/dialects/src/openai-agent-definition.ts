import {
  ATTR_GEN_AI_AGENT_DESCRIPTION,
  ATTR_GEN_AI_AGENT_ID,
  ATTR_GEN_AI_AGENT_NAME,
  OPERATION_CREATE_AGENT,
} from "@thoughtflow/semconv";
import { CALL_WITHOUT_HISTORY } from "./call-without-history.ts";
import { contentParts } from "./content-parts.ts";
import type { Dialect } from "./dialect.ts";
import { requestAttributes } from "./openai-request-attributes.ts";
import { toolDefinitionsOf } from "./openai-tool-definitions.ts";
import { present, propertiesOf, textOf } from "./unknown-values.ts";

/** `beta.agents.create` and `beta.assistants.create`: what an agent of the server is told to be. */
export const openaiAgentDefinition: Dialect = {
  ...CALL_WITHOUT_HISTORY,
  name: "openai.agent_definition",
  operation: OPERATION_CREATE_AGENT,
  inputItems: () => [],
  systemInstructions: (request) => contentParts(propertiesOf(request)["instructions"]),
  toolDefinitions: toolDefinitionsOf,
  outputMessages: () => [],
  requestAttributes: (value) => {
    const request = propertiesOf(value);
    return {
      ...requestAttributes(request),
      ...present<string>({
        [ATTR_GEN_AI_AGENT_NAME]: textOf(request["name"]),
        [ATTR_GEN_AI_AGENT_DESCRIPTION]: textOf(request["description"]),
      }),
    };
  },
  responseAttributes: (response) =>
    present<string>({ [ATTR_GEN_AI_AGENT_ID]: textOf(propertiesOf(response)["id"]) }),
};
