import { createTask, waitUntilIdle } from '../service/service-calls.ts';
import { readProcessorMs } from '../process/process-facts.ts';
import { median } from '../report/statistics.ts';
import type { Measure } from './measure.ts';

const fence = '```';

/** A message that has the built-in model map a table of so many rows. */
function describeTable(count: number): string {
  const rows = Array.from({ length: count }, (_, at) => ({ name: `Ada ${at}`, city: 'Rome' }));
  const schema = { type: 'object', properties: { greeting: { type: 'string' } } };
  const input = { rows, instruction: 'greeting: Hello {{name}} of {{city}}', schema, output: 'greetings.csv' };
  return `${fence}scenario\n${JSON.stringify([{ calls: [{ tool: 'map_rows', input }] }])}\n${fence}`;
}

export const rows: Measure = {
  name: 'rows',
  about: 'a task that has each row of a table answered by the built-in model, from its creation to its end',
  async take(bed) {
    const { mappedTables, mappedRows } = bed.sizes;
    await using service = await bed.useService();
    const times: number[] = [];
    const before = readProcessorMs(service.pid);
    for (let table = 0; table < mappedTables; table++) {
      const startedAtMs = Date.now();
      await createTask(service, describeTable(mappedRows));
      times.push((await waitUntilIdle(service, 1)) - startedAtMs);
    }
    const processorMs = (readProcessorMs(service.pid) - before) / mappedTables;
    const note = `${mappedTables} tables; ${Math.max(...times)} ms at most; ${processorMs.toFixed(0)} ms of CPU each`;
    return [{ name: `map_rows over ${mappedRows} rows`, value: median(times), unit: 'ms', note }];
  },
};
