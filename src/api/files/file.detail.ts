import { z } from 'zod';
import { getFile } from '../../store/files/files.ts';
import { fileId, keyOfFile } from './file-key.ts';
import { fileDetail, presentFile } from './file-object.ts';
import { defineOperation } from '../contract/operation.ts';

export const fileDetailOperation = defineOperation({
  name: 'file.detail',
  method: 'GET',
  summary: 'Tells whether a file has been uploaded, and what is known of it.',
  details:
    'Status: pending until it is uploaded, then uploaded; error when the upload did not come; deleted for 48 hours after it was deleted.',
  access: 'tasks',
  request: z.object({ file_id: fileId }),
  response: z.object({ file: fileDetail }),
  async handle({ file_id }, { principal, now, read }) {
    return { file: presentFile(await read(getFile, keyOfFile(file_id, principal)), now) };
  },
});
