import { z } from 'zod';
import { newId } from '@errand/base/ids.ts';
import { originOf } from '../../rules/accounts/access.ts';
import { contentTypeOf } from '../../rules/files/content-type.ts';
import { readFilename } from '../../rules/files/upload-policy.ts';
import { createFile } from '../../store/files/files.ts';
import { requiredText } from '../contract/fields.ts';
import { fileObject, presentFile } from './file-object.ts';
import { defineOperation } from '../contract/operation.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

export const fileUpload = defineOperation({
  name: 'file.upload',
  method: 'POST',
  summary: 'Announces a file and answers with the address to which its bytes are sent.',
  details: [
    'The upload is one PUT of the bytes to upload_url, begun before upload_expires_at, without a credential and with any or no Content-Type.',
    'At most 512 MB a file and 10 GB an account; programs and shell scripts are refused. A file is deleted 48 hours after its upload;',
    'tasks that it was attached to keep it.',
  ].join(' '),
  access: 'tasks',
  request: z.object({ filename: requiredText('Name with extension.') }),
  response: z.object({
    file: fileObject,
    upload_url: z.string(),
    upload_expires_at: unixTime,
  }),
  async handle({ filename: given }, { principal, now, urls, write }) {
    const filename = readFilename('filename', given);
    const { accountId } = principal;
    const file = await write(createFile, {
      accountId,
      fileId: `file-${newId(now)}`,
      filename,
      contentType: contentTypeOf(filename),
      oauthClientId: originOf(principal).oauthClientId,
      now,
    });
    return {
      file: presentFile(file, now),
      upload_url: urls.upload({ accountId, fileId: file.fileId }, file.uploadEndsAtMs),
      upload_expires_at: toUnixTime(file.uploadEndsAtMs),
    };
  },
});
