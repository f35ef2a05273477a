import type { ChildService } from '../shell.ts';

/** The line that reports readiness, as data. */
export type ReadyLine = Readonly<Record<string, unknown>>;

export type Exit = Awaited<ChildService['ended']>;

/** A process that ended before it was ready. */
export class EndedEarly extends Error {
  readonly exit: Exit;

  constructor(exit: Exit) {
    super('a process ended before it was ready');
    this.exit = exit;
  }
}

/** What a process reports when it is ready; rejects with `EndedEarly`. */
export function untilReady({ reported, ended }: ChildService): Promise<ReadyLine> {
  const early = ended.then((exit): never => {
    throw new EndedEarly(exit);
  });
  return Promise.race([reported as Promise<ReadyLine>, early]);
}
