import type { ContentPart } from '@errand/client';

/** The text of a message, with its uploaded files. */
export interface OutgoingMessage {
  content: string;
  attachments: { fileId: string; filename: string }[];
}

/** The message in the format of the API. */
export function toContent({ content, attachments }: OutgoingMessage): string | ContentPart[] {
  if (attachments.length === 0) return content;
  const files = attachments.map(({ fileId, filename }) => ({ type: 'file' as const, file_id: fileId, filename }));
  return content === '' ? files : [{ type: 'text' as const, text: content }, ...files];
}
