import type { FastifyInstance } from 'fastify';
import type { Gauge, Metrics } from '@errand/base/metrics.ts';
import type { Database } from '../../store/db/database.ts';
import { readQueueState } from '../../store/instance/queue-state.ts';
import { answerHeaders } from '../server/envelope.ts';

export interface MetricsPageParts {
  database: Database;
  metrics: Metrics;
}

/** The memory of this process. */
function readMemory(): Gauge {
  return {
    name: 'errand_process_memory_bytes',
    about: 'Memory of this process and of what it has loaded, without programs that it runs.',
    value: process.memoryUsage.rss(),
  };
}

/** During a store outage, the page omits the store's values. */
async function readGauges(database: Database): Promise<Gauge[]> {
  const state = await database.run(readQueueState, null).catch(() => null);
  if (!state) return [];
  return [
    {
      name: 'errand_tasks_running',
      about: 'Tasks that run or wait for a worker, in the whole instance.',
      value: state.runningTasks,
    },
    {
      name: 'errand_task_queue_age_seconds',
      about: 'How long the task that is due longest has waited for a worker.',
      value: state.taskAgeMs / 1000,
    },
    {
      name: 'errand_delivery_queue_age_seconds',
      about: 'How long the delivery that is due longest has waited.',
      value: state.deliveryAgeMs / 1000,
    },
  ];
}

/** Numbers about this process and the queues, in the text format of Prometheus. They name no account and no task. */
export function mountMetrics(server: FastifyInstance, { database, metrics }: MetricsPageParts): void {
  server.route({
    method: 'GET',
    url: '/metrics',
    handler: async (request, reply) => {
      const headers = { ...answerHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };
      void reply.headers(headers).header('x-request-id', request.id);
      return metrics.render([readMemory(), ...(await readGauges(database))]);
    },
  });
}
