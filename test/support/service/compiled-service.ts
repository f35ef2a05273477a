import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compiledCode, program } from '../process/compiled-code.ts';
import { canWriteTo } from '../process/writable-folder.ts';
import { buildBundle } from './bundle.ts';
import { ServiceProcess } from './supervisor.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
const mark = join(compiledCode.NODE_COMPILE_CACHE, `has-service-${process.version}`);

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/**
 * Runs once per test run, before the first test file. Services under test run the bundle of the sources as they are now. A new
 * one is started and stopped once, because node stores compiled code only at an orderly end: services that are only killed would
 * compile everything at each start. Another user than the owner of the checkout cannot store it, and works on without.
 */
export async function setup(): Promise<void> {
  await buildBundle();
  if (changedAt(mark) > changedAt(join(checkout, program)) || !canWriteTo(dirname(mark))) return;
  const service = await ServiceProcess.start();
  await service.kill('SIGTERM');
  await service.end();
  writeFileSync(mark, '');
}
