import { z } from 'zod';
import { deleteFile } from '../../store/files/files.ts';
import { fileId, keyOfFile } from './file-key.ts';
import { defineOperation } from '../contract/operation.ts';

export const fileDelete = defineOperation('POST', 'file.delete', {
  summary: 'Deletes an uploaded file. Tasks it was attached to keep their copy.',
  access: 'tasks',
  request: z.object({ file_id: fileId }),
  response: z.object({}),
  async handle({ file_id }, { principal, now, write }) {
    await write(deleteFile, { ...keyOfFile(file_id, principal), now });
    return {};
  },
});
