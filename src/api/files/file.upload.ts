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

export const fileUpload = defineOperation('POST', 'file.upload', {
  summary: 'Registers a file and returns the URL to upload its bytes to.',
  details: [
    'Upload with one PUT of the bytes to upload_url, started before upload_expires_at, without a credential and with any or no Content-Type.',
    'Limits: 512 MB per file and 10 GB per account; programs and shell scripts are refused. A file is deleted 48 hours after its upload;',
    'tasks it was attached to keep their copy.',
  ].join(' '),
  access: 'tasks',
  request: z.object({ filename: requiredText('File name with extension.') }),
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
