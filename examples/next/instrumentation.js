export async function register() {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { startThoughtFlow } = await import("@thoughtflow/node");
  startThoughtFlow();
}
