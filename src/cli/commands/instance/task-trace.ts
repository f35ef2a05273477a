import { CommandFault, exitCode, UsageFault } from '../../exit-code.ts';
import { accountOption } from '../../input/options.ts';
import { printJson, printReport, printText } from '../../output/print.ts';
import type { Shell } from '../../shell.ts';
import { withConnection } from '../../transport/connect.ts';
import type { Connection } from '../../transport/connection.ts';
import { defineCommand } from '../command.ts';

interface TraceRequest {
  task_id: string;
  content: boolean;
}

/** The spans of a task, page by page. */
async function* readPages(connection: Connection, request: TraceRequest): AsyncGenerator<object[]> {
  let cursor: string | undefined;
  do {
    const page = await connection.call('operator.readTrace', { ...request, ...(cursor !== undefined && { cursor }) });
    if (page.spans.length > 0) yield page.spans;
    cursor = page.next_cursor;
  } while (cursor !== undefined);
}

async function send(shell: Shell, pages: AsyncGenerator<object[]>): Promise<number> {
  const { openTraceSender, wrapTrace } = await import('../../../app/monitoring/trace-export.ts');
  const { tracing, secrets } = shell.config;
  if (!tracing) throw new UsageFault('--send needs OTEL_EXPORTER_OTLP_ENDPOINT, the receiver of traces');
  const sender = openTraceSender(tracing, secrets, shell.clock);
  let sent = 0;
  for await (const spans of pages) {
    const result = await sender.send(wrapTrace(spans, shell.config), shell.signal);
    if (result.outcome !== 'accepted') throw new CommandFault(`OTEL_EXPORTER_OTLP_ENDPOINT: ${result.problem}`);
    sent += spans.length;
  }
  return sent;
}

/** `errand task trace` */
export const taskTrace = defineCommand({
  name: 'task trace',
  summary: 'Print the trace of a task as OpenTelemetry JSON, or send it to the receiver of traces.',
  args: { TASK_ID: 'Task ID.' },
  options: {
    send: { type: 'boolean', about: 'Send it to OTEL_EXPORTER_OTLP_ENDPOINT instead of printing it.' },
    content: { type: 'boolean', about: 'With messages, replies, and the arguments and results of tools.' },
    ...accountOption,
  },
  details: `The trace is made from the log of the task, so it can be read at any time, also if traces were not exported before. Sending
it again gives the same spans. One request of the protocol is printed for each 500 spans or so, each on a line of its own.`,
  examples: [
    ['task trace 0Ab…', 'to look at without a receiver'],
    ['task trace 0Ab… --send', 'after an outage of the receiver, or for an old task'],
  ],
  run(shell, { options, args }) {
    return withConnection(shell, { account: options.account }, async (connection) => {
      const pages = readPages(connection, { task_id: args.TASK_ID, content: options.content === true });
      if (options.send) {
        const spans = await send(shell, pages);
        return printReport(shell, options.json, { json: { spans }, notes: [`sent ${spans} spans`] });
      }
      const { wrapTrace } = await import('../../../app/monitoring/trace-export.ts');
      const all: object[] = [];
      for await (const spans of pages) {
        if (options.json) all.push(...spans);
        else printText(shell, JSON.stringify(wrapTrace(spans, shell.config)));
      }
      if (options.json) printJson(shell, wrapTrace(all, shell.config));
      return exitCode.done;
    });
  },
});
