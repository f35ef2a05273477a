import type { AttachmentView, SlidesFormat } from '../../rules/events/public-attachment.ts';
import type { Urls } from '../contract/urls.ts';

/** Attachments of an account's tasks, as their readers receive them. */
export function attachmentView(urls: Urls, accountId: string, slidesFormat: SlidesFormat = 'html'): AttachmentView {
  return {
    slidesFormat,
    urlOf: ({ blobId, filename, contentType, bytes }) => urls.file({ accountId, blobId, filename, contentType, bytes }),
  };
}
