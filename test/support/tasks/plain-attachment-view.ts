import type { AttachmentView } from '../../../src/rules/events/public-attachment.ts';

/** Shows attachments with URLs that name their blob. */
export const plainView: AttachmentView = { slidesFormat: 'html', urlOf: ({ blobId }) => `blob:${blobId}` };
