import type { Attachment } from '@errand/client';

/** A file to preview: an attachment or an artifact, by its signed URL. */
export interface PreviewFile {
  filename: string;
  /** A MIME type; empty where only the name tells. */
  contentType: string;
  url: string;
  bytes?: number;
  /** What it was made as, where that is more than the name tells: `slides` for a deck. */
  kind?: string;
}

/** The file of an attachment of a message. */
export function fileOfAttachment({ filename, url, content_type: contentType, type: kind }: Attachment): PreviewFile {
  return { filename, url, contentType, kind };
}
