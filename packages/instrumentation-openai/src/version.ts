/** The instrumentation scope of every span made here. */
export const INSTRUMENTATION_NAME = "@thoughtflow/instrumentation-openai";
export const INSTRUMENTATION_VERSION = "0.1.0";
