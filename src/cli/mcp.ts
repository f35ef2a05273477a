import { Fault, type FaultCode, faultStatus } from '@errand/base/fault.ts';
import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import type { Connection } from './connection.ts';
import { CommandFault, exitCode } from './exit-code.ts';
import { type OperationName, calledOperations } from './operations.ts';
import { readVersion } from './version.ts';

function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(faultStatus, code);
}

/** Asks the service in the way of the other commands; what it refuses is told to the program at the other end. */
function askThrough(connection: Connection) {
  return async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    if (!Object.hasOwn(calledOperations, name)) throw new Error(`no operation ${name}`);
    try {
      return (await connection.call(name as OperationName, input)) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof CommandFault)) throw error;
      throw new Fault(isFaultCode(error.code) ? error.code : 'unavailable', error.message, { cause: error });
    }
  };
}

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve the tasks of an account as an MCP server on standard input and output.',
  args: {},
  options: accountOption,
  examples: [['mcp', 'for the settings of a program that starts MCP servers; over HTTP the service has the same at /mcp']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account, isWorking: true }, async (connection) => {
      const { serveLines } = await import('../mcp/mcp-stdio.ts');
      await serveLines({ ...shell, version: readVersion(), ask: askThrough(connection) });
      return exitCode.done;
    });
  },
});
