import { basename } from 'node:path';

/** What failed, for a reader who does not know the command line, and can try again or change the file. */
export function explainFailure(program: string, timeoutMs: number) {
  return (error: unknown): never => {
    const { code, killed = false, stderr = '' } = error as { code?: string | number; killed?: boolean; stderr?: string };
    const name = basename(program);
    if (code === 'ENOENT') throw new Error(`${name} is not installed on this machine; the file is not at fault`);
    if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
      throw new Error(`${name} wrote more than can be read; make the file smaller`);
    if (killed) throw new Error(`${name} took longer than ${timeoutMs / 1000} seconds; try again, or make the file smaller`);
    const said = stderr.trim().split('\n').at(-1) ?? '';
    throw new Error(`${name} cannot read it${said === '' ? '' : `: ${said}`}`);
  };
}
