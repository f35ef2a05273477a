import { CommandFault, type ExitCode } from '../exit-code.ts';
import { parseArguments } from '../input/arguments.ts';
import type { CommandShape, OptionSpec, OptionTable } from '../input/command-shape.ts';
import type { Shell } from '../shell.ts';

type Value<Spec extends OptionSpec> = Spec['type'] extends 'boolean'
  ? true
  : Spec extends { choices: readonly (infer Choice)[] }
    ? Choice
    : Spec extends { multiple: true }
      ? string[]
      : string;

/** The options of every command. */
export const commonOptions = {
  json: { type: 'boolean', about: 'Print one JSON object and nothing else.' },
  help: { type: 'boolean', short: 'h', about: 'Show this help.' },
} as const satisfies OptionTable;
export type CommonOptions = typeof commonOptions;

/** The parsed command line. */
export interface Given<Options extends OptionTable, Name extends string> {
  options: { [Option in keyof (Options & CommonOptions)]?: Value<(Options & CommonOptions)[Option]> };
  /** All of them are present. */
  args: Record<Name, string>;
}

/** A command as the table of commands holds it. */
export interface Command extends CommandShape {
  /** Checks the rest of a command line and returns what to run. Throws `UsageFault`. */
  prepare(argv: readonly string[]): (shell: Shell) => Promise<ExitCode>;
}

/** What help shows of a command, with the types of its arguments and options. */
export interface CommandTexts<Options extends OptionTable, Name extends string> extends Omit<CommandShape, 'args' | 'options'> {
  args?: Readonly<Record<Name, string>>;
  options?: Options;
}

interface CommandSpec<Options extends OptionTable, Name extends string> extends CommandTexts<Options, Name> {
  /** Whether it looks in every account if none is named. */
  looksEverywhere?: true;
  run(shell: Shell, given: Given<Options, Name>): Promise<ExitCode>;
}

/** The service looks in one account only, and people forget to say in which one. */
function nameAccount(error: unknown, account: unknown, { config }: Shell): unknown {
  const isOpen = account === undefined && config.serviceUrl === null;
  if (!isOpen || !(error instanceof CommandFault) || error.code !== 'not_found') return error;
  const message = `${error.message} in the first account; use --account ACCOUNT to look in another`;
  return new CommandFault(message, { code: error.code, cause: error });
}

/** Makes a command. Every command also takes the common options. */
export function defineCommand<const Options extends OptionTable = CommonOptions, Name extends string = never>(
  spec: CommandSpec<Options, Name>,
): Command {
  const args: CommandShape['args'] = spec.args ?? {};
  const options: OptionTable = { ...spec.options, ...commonOptions };
  return {
    ...spec,
    args,
    options,
    prepare(argv) {
      const given = parseArguments({ args, options }, argv) as Given<Options, Name>;
      if (!('account' in options) || spec.looksEverywhere) return (shell) => spec.run(shell, given);
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
