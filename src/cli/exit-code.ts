/** How a command ends, as scripts see it (sysexits where one fits). */
export const exitCode = {
  done: 0,
  failed: 1,
  /** The agent asked a question. */
  asked: 2,
  /** Wrong use of the command line. */
  misused: 64,
  /** A wrong setting. */
  misconfigured: 78,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Wrong use: the message is the rest of a line that begins with the command. */
export class UsageFault extends Error {}

/** A command that cannot do what it was asked: the message is the whole line. */
export class CommandFault extends Error {
  /** For programs: the code of the service's answer where there is one. */
  readonly code: string;

  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'failed';
  }
}
