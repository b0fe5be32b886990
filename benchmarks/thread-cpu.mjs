/** CPU time that the JavaScript thread of this process has used, in µs. */
export function threadCpu() {
  // Without this, `threadCpuUsage` moves only with the kernel's tick, once in 4 ms.
  process.cpuUsage();
  const { user, system } = process.threadCpuUsage();
  return user + system;
}
