import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiledCode } from '../process/compiled-code.ts';
import { ServiceProcess } from './supervisor.ts';

const mark = join(compiledCode.NODE_COMPILE_CACHE, `has-service-${process.version}`);

/**
 * Runs once per test run, before the first test file. In a new checkout it starts and stops a service, because node stores
 * compiled code only at an orderly end: services that are only killed would compile everything at each start.
 */
export async function setup(): Promise<void> {
  if (existsSync(mark)) return;
  const service = await ServiceProcess.start();
  await service.kill('SIGTERM');
  await service.end();
  writeFileSync(mark, '');
}
