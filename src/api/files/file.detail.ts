import { z } from 'zod';
import { getFile } from '../../store/files/files.ts';
import { fileId, keyOfFile } from './file-key.ts';
import { fileDetail, presentFile } from './file-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const fileDetailOperation = defineOperation('GET', 'file.detail', {
  summary: "Returns a file's upload status and metadata.",
  details:
    'Status: pending until the upload completes, then uploaded; error if the upload never arrived; deleted for 48 hours after deletion.',
  access: 'tasks',
  request: z.object({ file_id: fileId }),
  response: z.object({ file: fileDetail }),
  async handle({ file_id }, { principal, now, read }) {
    return { file: presentFile(await read(getFile, keyOfFile(file_id, principal)), now) };
  },
});
