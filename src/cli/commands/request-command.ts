import type { OptionTable } from '../input/command-shape.ts';
import { accountOption } from '../input/options.ts';
import { printReport, type Report } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { withConnection } from '../transport/connect.ts';
import type { Params } from '../transport/connection.ts';
import type { OperationName, ResultOf } from '../transport/operations.ts';
import { type Command, type CommandTexts, defineCommand, type Given, type CommonOptions } from './command.ts';

interface RequestSpec<Operation extends OperationName, Options extends OptionTable, Name extends string>
  extends CommandTexts<Options, Name> {
  operation: Operation;
  /** For a command about the whole instance, which takes no `--account`. */
  isForInstance?: true;
  /** The parameters of the operation. Throws `UsageFault` before anything is opened. */
  input?(given: Given<Options, Name>, shell: Shell): Params | Promise<Params>;
  /** What to print; `--json` prints the result itself unless the report has its own `json`. */
  report(result: ResultOf<Operation>, given: Given<Options, Name>): Report;
}

/** Makes a command that asks the service for one operation and prints the result. */
export function defineRequest<
  Operation extends OperationName,
  const Options extends OptionTable = CommonOptions,
  Name extends string = never,
>({ operation, isForInstance, input, report, ...texts }: RequestSpec<Operation, Options, Name>): Command {
  return defineCommand<OptionTable, Name>({
    ...texts,
    options: { ...texts.options, ...(isForInstance ? {} : accountOption) },
    async run(shell, given) {
      const typed = given as Given<Options, Name>;
      const { account, json } = typed.options as { account?: string; json?: true };
      const params = await input?.(typed, shell);
      return withConnection(shell, { account }, async (connection) => {
        const result = await connection.call(operation, params);
        return printReport(shell, json, { json: result, ...report(result, typed) });
      });
    },
  });
}
