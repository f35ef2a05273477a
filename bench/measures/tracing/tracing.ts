import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as context from '../../../src/rules/tracing/trace-context.ts';
import * as ids from '../../../src/rules/tracing/trace-ids.ts';
import { createFolder, removeFolder } from '../../../test/support/process/leftovers.ts';
import { readProcessorMs } from '../../process/process-facts.ts';
import { readProfileShare } from './profile-share.ts';
import type { TestBed, UsedService } from '../../service/test-bed.ts';
import { finishTasks, takeOfEachKind } from '../end-to-end.ts';
import type { Measure, Taken } from '../measure.ts';
import { takeInTurn } from '../rounds.ts';

/** The code of tracing that a service runs without a receiver; the rest is not loaded then (`src/app/build-workers.ts`). */
const runWithout = new Set([...Object.keys(context), ...Object.keys(ids), 'traceHeaders']);

/** The part of the processor time that a service without a receiver spends in that code, in percent, from a profile of all its threads. */
async function profileWithout(bed: TestBed, env: Record<string, string>): Promise<number> {
  const folder = createFolder('bench');
  const service = await bed.startService({
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}`, ...env },
    isDirect: true,
  });
  try {
    await finishTasks(service, bed.sizes.finishes);
    // A process writes its profile when it ends in order.
    await service.kill('SIGTERM');
    const { workedUs, withinUs } = readProfileShare(folder, runWithout);
    return (withinUs / workedUs) * 100;
  } finally {
    await service.end();
    removeFolder(folder);
  }
}

/** Processor time of a task in a service that exports traces, as a multiple of that in one beside it that does not. */
async function compareExport(bed: TestBed, env: Record<string, string>, endpoint: string): Promise<number> {
  const { rounds, warmup, finishes } = bed.sizes;
  await using without = await bed.startService({ env });
  await using exporting = await bed.startService({ env: { ...env, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } });
  const spend = async (service: UsedService) => {
    const before = readProcessorMs(service.pid);
    await finishTasks(service, finishes);
    return readProcessorMs(service.pid) - before;
  };
  for (const service of [without, exporting]) await finishTasks(service, warmup);
  const spent = await takeInTurn(rounds, { without: () => spend(without), exporting: () => spend(exporting) });
  return spent.exporting / spent.without;
}

async function take(bed: TestBed, kind: string, env: Record<string, string>, endpoint: string): Promise<Taken[]> {
  return [
    { name: `tracing off, part of CPU, ${kind}`, value: await profileWithout(bed, env), unit: '%' },
    { name: `CPU with traces exported, ${kind}`, value: await compareExport(bed, env, endpoint), unit: '×' },
  ];
}

export const tracing: Measure = {
  name: 'tracing',
  about: 'the part of the CPU that tracing takes while it is off, from a profile, and what a task costs with it as a multiple',
  async take(bed) {
    const receiver = createServer((request, response) => {
      request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
    });
    receiver.listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    try {
      return (await takeOfEachKind((kind, settings) => take(bed, kind, settings, endpoint))).flat();
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  },
};
