import { parentPort, workerData } from 'node:worker_threads';
import { Fault } from '@errand/base/fault.ts';
import { readSkillText } from './skill-text.ts';
import { readSkillZip } from './skill-zip.ts';

/** The input of the thread: a zip, or the text of a single SKILL.md. */
export type PackageSource = { zip: Uint8Array } | { text: string };

try {
  const source = workerData as PackageSource;
  const skill = 'zip' in source ? await readSkillZip(source.zip) : { ...readSkillText(source.text), files: [] };
  parentPort?.postMessage({ skill });
} catch (error) {
  const fault = error instanceof Fault ? error : null;
  parentPort?.postMessage({ problem: fault?.message ?? null, detail: String(error) });
}
