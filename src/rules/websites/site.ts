import { createHash } from 'node:crypto';

export const sitePlatforms = ['website', 'mobile_app', 'game'] as const;
export type SitePlatform = (typeof sitePlatforms)[number];

export const siteVisibilities = ['public', 'team', 'private'] as const;
export type SiteVisibility = (typeof siteVisibilities)[number];

/** For whom an agent may publish, when its user has confirmed it. */
export const publishedFor = ['public', 'private'] as const;
export type PublishedFor = (typeof publishedFor)[number];

export const publishStatuses = ['unpublished', 'publishing', 'published', 'failed'] as const;
export type PublishStatus = (typeof publishStatuses)[number];

/** One file of a checkpoint: where its bytes lie in the checkpoint's blob. */
export interface SiteFile {
  /** Relative to the site, with forward slashes. */
  path: string;
  start: number;
  bytes: number;
  /** SHA-256 in hex. */
  sha256: string;
}

/** The file that opens a folder of a site, and the one that is shown for what is not there. */
export const indexFile = 'index.html';
const missingFile = '404.html';

/**
 * The name of a checkpoint, made as git makes those of commits: of everything in it, of the one before, and of what was said about
 * it. The same content after the same history has the same name.
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
  /** A folder is addressed with a slash at its end, or its relative links would lead elsewhere. */
  | { kind: 'folder' }
  | { kind: 'missing' };

/** What a site answers for a path, which is relative to it and decoded. */
export function findPage(files: ReadonlyMap<string, SiteFile>, path: string): SiteAnswer {
  const isFolder = path === '' || path.endsWith('/');
  const named = files.get(isFolder ? path + indexFile : path);
  if (named) return { kind: 'file', file: named, status: 200 };
  if (!isFolder && files.has(`${path}/${indexFile}`)) return { kind: 'folder' };
  const missing = files.get(missingFile);
  return missing ? { kind: 'file', file: missing, status: 404 } : { kind: 'missing' };
}
