/** The arguments of this process; null, with the usage and exit code 64, if they are not understood. */
export function readOrExplain<Arguments>(read: (given: string[]) => Arguments, usage: string): Arguments | null {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 64;
    return null;
  }
}
