import type { Attachment } from '@errand/client';

/** A file to preview: an attachment or an artifact, by its signed URL. */
export interface PreviewFile {
  filename: string;
  /** A MIME type; empty if only the name is known. */
  contentType: string;
  url: string;
  bytes?: number;
  /** Kind of the file if its name does not tell: `slides` for a deck. */
  kind?: string;
}

/** The file of an attachment of a message. */
export function fileOfAttachment({ filename, url, content_type: contentType, type: kind }: Attachment): PreviewFile {
  return { filename, url, contentType, kind };
}
