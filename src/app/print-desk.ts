import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Config } from '../config.ts';
import { findOffice } from '../sandbox/find-office.ts';
import type { SandboxAvailability } from '../sandbox/sandbox.ts';
import type { Blobs } from '../store/blobs/blobs.ts';
import { printedBytes } from '../rules/print.ts';
import { type OfficeProgram, printDocument } from '../tools/office/print-document.ts';
import { PrintDesk, type Printer } from '../work/print-desk.ts';
import { inTemporaryWorkspace } from './temporary-workspace.ts';

export interface PrintDeskParts {
  config: Config;
  instanceId: string;
  blobs: Blobs;
  clock: Clock;
  log: Log;
  /** For every answer the same one. */
  openSandbox(): Promise<SandboxAvailability>;
}

/** Makes pages with an office program, each time in a folder of its own that goes with it. */
export function createPrinter(office: OfficeProgram): Printer {
  const folder = { name: 'errand-print', fileLimitBytes: printedBytes };
  return (bytes, ending, signal) =>
    inTemporaryWorkspace(folder, (workspace) => printDocument(office, workspace, { bytes, ending }, signal));
}

/** What makes pages of office files, with the machine's LibreOffice in the sandbox. */
export function buildPrintDesk({ config, instanceId, blobs, clock, log, openSandbox }: PrintDeskParts): PrintDesk {
  const program = findOffice();
  return new PrintDesk({
    async openPrinter() {
      if (program === null) return null;
      const { sandbox } = await openSandbox();
      return sandbox && createPrinter({ program, sandbox });
    },
    folder: join(config.dataDir, 'pages', instanceId),
    blobs,
    clock,
    log,
  });
}
