import { createHash } from 'node:crypto';

export const sitePlatforms = ['website', 'mobile_app', 'game'] as const;
export type SitePlatform = (typeof sitePlatforms)[number];

export const siteVisibilities = ['public', 'team', 'private'] as const;
export type SiteVisibility = (typeof siteVisibilities)[number];

/** Visibilities with which an agent can publish after confirmation by its user. */
export const publishedFor = ['public', 'private'] as const;
export type PublishedFor = (typeof publishedFor)[number];

export const publishStatuses = ['unpublished', 'publishing', 'published', 'failed'] as const;
export type PublishStatus = (typeof publishStatuses)[number];

/** One file of a checkpoint: the position of its bytes in the checkpoint's blob. */
export interface SiteFile {
  /** Relative to the site, with forward slashes. */
  path: string;
  start: number;
  bytes: number;
  /** SHA-256 in hex. */
  sha256: string;
}

/** The index file of a folder, and the page for missing files. */
export const indexFile = 'index.html';
const missingFile = '404.html';

/**
 * The version id of a checkpoint, derived like a git commit id from its content, its predecessor and its message. The same content
 * with the same history has the same id.
 */
export function nameVersion(files: readonly SiteFile[], message: string, parentId: string | null): string {
  const tree = createHash('sha1');
  for (const { path, sha256 } of files) tree.update(`${sha256} ${path}\n`);
  return createHash('sha1')
    .update(`tree ${tree.digest('hex')}\n${parentId === null ? '' : `parent ${parentId}\n`}\n${message}\n`)
    .digest('hex');
}

export type SiteAnswer =
  | { kind: 'file'; file: SiteFile; status: 200 | 404 }
  /** A folder URL must end with a slash for its relative links to work. */
  | { kind: 'folder' }
  | { kind: 'missing' };

/** The response of a site for a relative, decoded path. */
export function findPage(files: ReadonlyMap<string, SiteFile>, path: string): SiteAnswer {
  const isFolder = path === '' || path.endsWith('/');
  const named = files.get(isFolder ? path + indexFile : path);
  if (named) return { kind: 'file', file: named, status: 200 };
  if (!isFolder && files.has(`${path}/${indexFile}`)) return { kind: 'folder' };
  const missing = files.get(missingFile);
  return missing ? { kind: 'file', file: missing, status: 404 } : { kind: 'missing' };
}
