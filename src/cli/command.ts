import { parseArguments } from './arguments.ts';
import type { CommandShape, OptionSpec, OptionTable } from './command-shape.ts';
import { CommandFault, type ExitCode } from './exit-code.ts';
import type { Shell } from './shell.ts';

type Value<Spec extends OptionSpec> = Spec['type'] extends 'boolean'
  ? true
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { multiple: true }
      ? string[]
      : string;

export const commonOptions = {
  json: { type: 'boolean', about: 'Print one JSON object and nothing else.' },
  help: { type: 'boolean', short: 'h', about: 'Show this text.' },
} as const satisfies OptionTable;

/** What stood on the command line. */
interface Given<Options extends OptionTable, Name extends string> {
  options: { [Option in keyof Options]?: Value<Options[Option]> };
  /** All of them are there. */
  args: Record<Name, string>;
}

export interface Command extends CommandShape {
  /** Checks the rest of a command line and returns what is to be done. Throws `UsageFault`. */
  prepare(argv: readonly string[]): (shell: Shell) => Promise<ExitCode>;
}

interface CommandSpec<Options extends OptionTable, Name extends string> extends CommandShape {
  args: Readonly<Record<Name, string>>;
  options: Options;
  run(shell: Shell, given: Given<Options & typeof commonOptions, Name>): Promise<ExitCode>;
}

export const accountOption = {
  account: {
    type: 'string',
    value: 'ACCOUNT',
    about: 'E-mail address or id of the account to act for (default: the first account).',
  },
} as const satisfies OptionTable;

/** Things are looked for in one account, and people forget to say in which. */
function nameAccount(error: unknown, account: unknown, { config }: Shell): unknown {
  const isOpen = account === undefined && config.serviceUrl === null;
  if (!isOpen || !(error instanceof CommandFault) || error.code !== 'not_found' || error.message.includes('--account'))
    return error;
  return new CommandFault(`${error.message} in the first account; --account ACCOUNT looks in another`, {
    code: error.code,
    cause: error,
  });
}

/** A row of the table of commands. Every command also takes the common options. */
export function defineCommand<const Options extends OptionTable, Name extends string = never>(
  spec: CommandSpec<Options, Name>,
): Command {
  const options = { ...spec.options, ...commonOptions };
  return {
    ...spec,
    options,
    prepare(argv) {
      const given = parseArguments({ args: spec.args, options }, argv) as Given<Options & typeof commonOptions, Name>;
      if (!('account' in options)) return (shell) => spec.run(shell, given);
      return async (shell) => {
        try {
          return await spec.run(shell, given);
        } catch (error) {
          throw nameAccount(error, (given.options as { account?: string }).account, shell);
        }
      };
    },
  };
}
