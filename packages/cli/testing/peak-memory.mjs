// Loaded before a program: says on its last line of stderr how much memory the process held at most, in MB of RSS.
process.on("exit", () => {
  process.stderr.write(`peak ${Math.round(process.resourceUsage().maxRSS / 1000)} MB\n`);
});
