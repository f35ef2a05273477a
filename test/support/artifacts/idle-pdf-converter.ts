import type { PdfService } from '../../../src/api/artifacts/pdf-service.ts';
import { Fault } from '@errand/base/fault.ts';

/** A converter on a machine without an office program. */
export const idlePdfConversion: PdfService = {
  convert: () =>
    Promise.reject(new Fault('failed_precondition', 'This machine has no LibreOffice, which makes pages of such files.')),
};
