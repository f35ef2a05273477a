import type { OptionTable } from '../input/command-shape.ts';
import { accountOption } from '../input/options.ts';
import { printReport, type Report } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { withConnection } from '../transport/connect.ts';
import type { Params } from '../transport/connection.ts';
import type { OperationName, ResultOf } from '../transport/operations.ts';
import { type Command, type CommandTexts, defineCommand, type Given, type CommonOptions } from './command.ts';

interface RequestSpec<Operation extends OperationName, Options extends OptionTable, Name extends string>
  extends Omit<CommandTexts<Options, Name>, 'name'> {
  /** True for a command about the whole instance, which takes no `--account`. */
  isForInstance?: true;
  /** The parameters of the operation, its arguments unless it says otherwise. Throws `UsageFault` before anything is opened. */
  input?(given: Given<Options, Name>, shell: Shell): Params | Promise<Params>;
  /** What to print; `--json` prints the result itself unless the report has its own `json`. */
  report(result: ResultOf<Operation>, given: Given<Options, Name>): Report;
}

/** `KEY_ID` is the parameter `key_id`. */
function readArguments(args: Readonly<Record<string, string>>): Params | undefined {
  const entries = Object.entries(args).map(([name, value]) => [name.toLowerCase(), value] as const);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Reports what was done with the last argument: `revoked 0Ab…`. */
export function reportDone(done: string) {
  return (_: unknown, { args }: Pick<Given<OptionTable, string>, 'args'>): Report => ({
    text: `${done} ${Object.values(args).at(-1)}`,
  });
}

/** Makes a command that asks the service for one operation and prints the result. */
export function defineRequest<
  Operation extends OperationName,
  const Options extends OptionTable = CommonOptions,
  Name extends string = never,
>(
  name: string,
  operation: Operation,
  { isForInstance, input, report, ...texts }: RequestSpec<Operation, Options, Name>,
): Command {
  return defineCommand<OptionTable, Name>({
    ...texts,
    name,
    options: { ...texts.options, ...(isForInstance ? {} : accountOption) },
    async run(shell, given) {
      const typed = given as Given<Options, Name>;
      const { account, json } = typed.options as { account?: string; json?: true };
      const params = input ? await input(typed, shell) : readArguments(typed.args);
      return withConnection(shell, { account }, async (connection) => {
        const result = await connection.call(operation, params);
        return printReport(shell, json, { json: result, ...report(result, typed) });
      });
    },
  });
}
