/** Milliseconds of computing that `work` takes in this thread. What other threads and processes do meanwhile is not among them. */
export function measureThreadMs(work: () => void): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
