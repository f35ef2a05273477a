import type { Attachment, StoredFile } from './task-event.ts';

export const slidesFormats = ['html', 'pptx'] as const;
export type SlidesFormat = (typeof slidesFormats)[number];

/** How events and their attachments are presented to a reader. */
export interface AttachmentView {
  /** Whether the reader may know about the account: who wrote a message, and its budgets. By default, only the latter. */
  showsAccount?: boolean;
  /** The form of a deck that the reader gets. */
  slidesFormat: SlidesFormat;
  /** Creates a new URL for downloading a file. */
  urlOf(file: StoredFile): string;
}

/** A TaskAttachment (docs/reference/wire-format.md#attachments). */
export interface PublicAttachment {
  type: Attachment['kind'];
  filename: string;
  url: string;
  content_type: string;
}

/** The file of an attachment that a reader receives. */
export function chooseForm(attachment: Attachment, slidesFormat: SlidesFormat): StoredFile {
  return attachment.forms?.[slidesFormat] ?? attachment;
}

export function presentAttachment(attachment: Attachment, { slidesFormat, urlOf }: AttachmentView): PublicAttachment {
  const file = chooseForm(attachment, slidesFormat);
  return { type: attachment.kind, filename: file.filename, url: urlOf(file), content_type: file.contentType };
}
