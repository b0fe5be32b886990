export default { serverExternalPackages: ["openai", "@thoughtflow/node", "@thoughtflow/tracing"] };
