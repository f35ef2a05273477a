import { z } from 'zod';
import { optionalTexts } from '../api/contract/fields.ts';
import { invalidField } from '@errand/base/fault.ts';

/** A file sent with a prompt, in one of four ways (docs/reference/wire-format.md#v1-attachments). */
export const legacyAttachment = z.object(
  optionalTexts('filename', 'file_id', 'fileId', 'url', 'mimeType', 'mime_type', 'fileData', 'file_data', 'data'),
);

type Attachment = z.output<typeof legacyAttachment>;

/** The equivalent part of a message. */
export function toFilePart(attachment: Attachment, index: number): object {
  const { filename, url, data, fileId = attachment.file_id } = attachment;
  const { mimeType = attachment.mime_type, fileData = attachment.file_data } = attachment;
  const source = {
    ...(fileId && { file_id: fileId }),
    ...(url && { file_url: url }),
    ...(fileData && { file_data: fileData }),
    ...(data && { data }),
  };
  if (Object.keys(source).length !== 1) {
    throw invalidField(`attachments[${index}]`, 'must have one of file_id, url, fileData and data');
  }
  return { type: 'file', ...source, ...(filename && { filename }), ...(mimeType && { mime_type: mimeType }) };
}
