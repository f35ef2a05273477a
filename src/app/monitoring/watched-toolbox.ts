import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import type { Toolbox } from '../../tools/toolbox/toolbox.ts';

interface WatchParts {
  metrics: Metrics;
  clock: Clock;
  log: Log;
}

/** The name of a tool for monitoring. Unknown names and those of connector tools are replaced, because models and servers choose them. */
function nameTool(toolbox: Toolbox, name: string): string {
  const tool = toolbox.find(name);
  if (!tool) return 'unknown';
  return tool.connectorId === undefined ? tool.name : 'connector';
}

/** A toolbox whose calls are also counted and timed. A failed call is a line in the service's log, without its content. */
export function watchToolbox(inner: Toolbox, parts: WatchParts): Toolbox {
  const { metrics, clock, log } = parts;
  return {
    ...inner,
    extend: (more) => watchToolbox(inner.extend(more), parts),
    async runCall(call, context) {
      const { accountId, taskId, callId } = context;
      const startedAt = clock.monotonic();
      const tool = nameTool(inner, call.tool);
      let status = 'stopped';
      try {
        const outcome = await inner.runCall(call, context);
        ({ status } = outcome);
        return outcome;
      } finally {
        const ms = Math.round(clock.monotonic() - startedAt);
        metrics.count('errand_tool_calls_total', { tool, status });
        metrics.observe('errand_tool_call_duration_seconds', { tool }, ms / 1000);
        const ids = { account_id: accountId, task_id: taskId, call_id: callId };
        if (status === 'error') log.info({ ...ids, tool, ms }, 'a tool call failed');
      }
    },
  };
}
