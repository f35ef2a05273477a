/** How a command ends (from sysexits.h where one fits). */
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

/** One of the exit codes. */
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** A misused command line. The message completes a line that begins with the command. */
export class UsageFault extends Error {}

/** A command that fails. The message is the whole line. */
export class CommandFault extends Error {
  /** The error code of the service, or `failed`; for programs that read the output. */
  readonly code: string;

  constructor(message: string, options: { code?: string; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = options.code ?? 'failed';
  }
}
