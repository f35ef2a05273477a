/** Calls `late` after a time, unless the sandbox has ended by then. Here is no clock of the service. */
export function afterTime(timeMs: number, late: () => void): void {
  setTimeout(late, timeMs).unref();
}
