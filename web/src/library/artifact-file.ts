import type { Artifact } from '@errand/client/operations.ts';
import type { PreviewFile } from '../previews/files/preview-file.ts';
import { isSite } from '../previews/website/is-site.ts';

/** The file of an artifact; null for sites, and for what has nothing to download. */
export function fileOfArtifact(artifact: Artifact): PreviewFile | null {
  if (artifact.url === undefined || isSite(artifact)) return null;
  const kind = artifact.file_type === 'slides' ? { kind: 'slides' } : {};
  return { filename: artifact.filename, contentType: '', url: artifact.url, ...kind };
}
