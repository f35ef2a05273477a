import { Fault, type FaultCode, faultStatus } from '@errand/base/fault.ts';
import { CommandFault, exitCode } from '../exit-code.ts';
import { accountOption } from '../input/options.ts';
import { withConnection } from '../transport/connect.ts';
import type { Connection } from '../transport/connection.ts';
import { type OperationName, operations } from '../transport/operations.ts';
import { version } from '@errand/base/program-version.ts';
import { defineCommand } from './command.ts';

function isFaultCode(code: string): code is FaultCode {
  return Object.hasOwn(faultStatus, code);
}

/** Asks the service as other commands do; the MCP client receives its refusals. */
function askThrough(connection: Connection) {
  return async (name: string, input: Record<string, unknown>): Promise<Record<string, unknown>> => {
    if (!Object.hasOwn(operations, name)) throw new Error(`no operation ${name}`);
    try {
      return (await connection.call(name as OperationName, input)) as Record<string, unknown>;
    } catch (error) {
      if (!(error instanceof CommandFault)) throw error;
      throw new Fault(isFaultCode(error.code) ? error.code : 'unavailable', error.message, { cause: error });
    }
  };
}

/** `errand mcp` */
export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Run an MCP server on standard input and output that gives access to tasks.',
  args: {},
  options: accountOption,
  examples: [['mcp', 'for programs that start MCP servers; over HTTP, use /mcp of the service']],
  async run(shell, { options }) {
    return withConnection(shell, { account: options.account, isWorking: true }, async (connection) => {
      const { serveLines } = await import('../../mcp/mcp-stdio.ts');
      await serveLines({ ...shell, version, ask: askThrough(connection) });
      return exitCode.done;
    });
  },
});
