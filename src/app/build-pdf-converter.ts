import { join } from 'node:path';
import type { Clock } from '@errand/base/clock.ts';
import type { Log } from '@errand/base/log.ts';
import type { Config } from '../config/config.ts';
import { findOffice } from '@errand/sandbox/programs';
import type { SandboxAvailability } from '@errand/sandbox';
import type { Blobs } from '../store/blobs/blobs.ts';
import { maxPdfSourceBytes } from '../rules/artifacts/pdf-source.ts';
import { type OfficeProgram, convertToPdf } from '../tools/files/converters/office-conversion.ts';
import { PdfConversionService, type PdfConverter } from '../work/artifacts/pdf-conversion-service.ts';
import { inTemporaryWorkspace } from './temporary-workspace.ts';

export interface PdfConverterBuildParts {
  config: Config;
  instanceId: string;
  blobs: Blobs;
  clock: Clock;
  log: Log;
  /** Opens the sandbox at the first call; every call returns the same one. */
  openSandbox(): Promise<SandboxAvailability>;
}

/** Converts with an office program, each time in a temporary folder. */
export function createPdfConverter(office: OfficeProgram): PdfConverter {
  const folder = { name: 'errand-print', fileLimitBytes: maxPdfSourceBytes };
  return (bytes, ending, signal) =>
    inTemporaryWorkspace(folder, (workspace) => convertToPdf(office, workspace, { bytes, ending }, signal));
}

/** Builds the conversion of office files to PDF, with LibreOffice in the sandbox. */
export function buildPdfConversion({
  config,
  instanceId,
  blobs,
  clock,
  log,
  openSandbox,
}: PdfConverterBuildParts): PdfConversionService {
  const program = findOffice();
  return new PdfConversionService({
    async openConverter() {
      if (program === null) return null;
      const { sandbox } = await openSandbox();
      return sandbox && createPdfConverter({ program, sandbox });
    },
    folder: join(config.dataDir, 'pages', instanceId),
    blobs,
    clock,
    log,
  });
}
