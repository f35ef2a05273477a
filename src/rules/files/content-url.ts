import type { SiteVisibility } from '../websites/site.ts';
import { signToken, type ReadClaims, readToken } from './signed-token.ts';

/** How long the URL of a file works (docs/reference/choices.md#urls). */
export const fileAddressTtlMs = 48 * 60 * 60 * 1000;

/**
 * How long the URL of a file works in the body of a webhook, which never changes: long enough for all attempts, even if the receiver asks
 * for the longest waits (twice 75 hours and 35 minutes), plus two days.
 */
export const webhookAddressTtlMs = 9 * 24 * 60 * 60 * 1000;

/** How long the URL of an export of an account works: long enough to begin the download. */
const exportAddressTtlMs = 60 * 60 * 1000;

/** A blob as people download it. */
export interface ContentFile {
  accountId: string;
  blobId: string;
  bytes: number;
  filename: string;
  contentType: string;
}

/** A file to upload. */
export interface UploadPlace {
  accountId: string;
  fileId: string;
}

/** Creates and verifies URLs of the content origin. Each is a bearer credential for what it names. */
export interface ContentAddresses {
  /** A new URL, valid for 48 hours by default. */
  file(file: ContentFile, ttlMs?: number): string;
  /** The file of a URL from `file`; throws 403 `permission_denied`. */
  readFile(filename: string, token: string): ContentFile & { endsAtMs: number };
  /** The upload URL of a file, valid until then. */
  upload(place: UploadPlace, endsAtMs: number): string;
  /** The file and its owner; throws 403 `permission_denied`. */
  readUpload(fileId: string, token: string): UploadPlace;
  /** A new URL of an archive with this name, valid for 48 hours. */
  archive(content: ArchiveContent, filename: string): string;
  /** The URL of an archive with the files of a task, valid while the task is shared under this id. */
  sharedArchive(shareId: string, filename: string): string;
  /** The archive of such a URL; throws 403 `permission_denied`. */
  readArchive(filename: string, token: string): ArchiveContent | { shareId: string };
  /** Where an account is downloaded with everything of it, valid for an hour. */
  accountExport(accountId: string, filename: string): { url: string; endsAtMs: number };
  /** The account of such a URL; throws 403 `permission_denied`. */
  readAccountExport(filename: string, token: string): { accountId: string };
  /** The URL of a published site: permanent for a public one, else valid for 48 hours. */
  site(site: SiteAddress): string;
  /** The site that a signed URL names, and the visibility for which it was created; throws 403 `permission_denied`. */
  readSite(token: string): { accountId: string; websiteId: string; visibility: string };
}

/** Where everybody finds a public site, on the content origin. */
export function publicSiteUrl(contentUrl: string, space: string): string {
  return `${contentUrl}/sites/${space}/`;
}

/** Files to download together: those of a task, or the given artifacts. */
export interface ArchiveContent {
  accountId: string;
  /** Null if artifacts are given. */
  taskId: string | null;
  artifactIds: readonly string[];
}

/** A published site. */
export interface SiteAddress {
  accountId: string;
  websiteId: string;
  /** Unguessable name of the site. */
  space: string;
  visibility: SiteVisibility;
}

export interface Signing {
  /** May throw if this process has no key. */
  key(): Uint8Array;
  now(): number;
  /** Base URL of the content origin for clients, without a trailing slash. */
  baseUrl(): string;
}

const sitePurpose = 'site';
const filePurpose = 'file';
const uploadPurpose = 'upload';
const archivePurpose = 'archive';
const exportPurpose = 'account-export';

function fileOf(filename: string, { claims, endsAtMs }: ReadClaims): ContentFile & { endsAtMs: number } {
  const [accountId, blobId, bytes, contentType] = claims as [string, string, number, string];
  return { accountId, blobId, bytes, contentType, filename, endsAtMs };
}

export function createContentAddresses({ key, now, baseUrl }: Signing): ContentAddresses {
  return {
    file({ accountId, blobId, bytes, filename, contentType }, ttlMs = fileAddressTtlMs) {
      const claims = [accountId, blobId, bytes, contentType];
      const token = signToken(key(), filePurpose, claims, now() + ttlMs, filename);
      return `${baseUrl()}/files/${encodeURIComponent(filename)}?token=${token}`;
    },
    upload({ accountId, fileId }, endsAtMs) {
      return `${baseUrl()}/uploads/${fileId}?token=${signToken(key(), uploadPurpose, [accountId], endsAtMs, fileId)}`;
    },
    readUpload(fileId, token) {
      const { claims } = readToken(key(), uploadPurpose, token, now(), fileId);
      return { accountId: String(claims[0]), fileId };
    },
    archive({ accountId, taskId, artifactIds }, filename) {
      const claims = [accountId, taskId ?? '', ...artifactIds];
      const token = signToken(key(), archivePurpose, claims, now() + fileAddressTtlMs, filename);
      return `${baseUrl()}/archives/${encodeURIComponent(filename)}?token=${token}`;
    },
    sharedArchive(shareId, filename) {
      const token = signToken(key(), archivePurpose, ['', shareId], now() + fileAddressTtlMs, filename);
      return `${baseUrl()}/archives/${encodeURIComponent(filename)}?token=${token}`;
    },
    readArchive(filename, token) {
      const [accountId = '', taskId = '', ...artifactIds] = readToken(key(), archivePurpose, token, now(), filename).claims.map(
        String,
      );
      return accountId === '' ? { shareId: taskId } : { accountId, taskId: taskId || null, artifactIds };
    },
    accountExport(accountId, filename) {
      const endsAtMs = now() + exportAddressTtlMs;
      const token = signToken(key(), exportPurpose, [accountId], endsAtMs, filename);
      return { url: `${baseUrl()}/exports/${encodeURIComponent(filename)}?token=${token}`, endsAtMs };
    },
    readAccountExport(filename, token) {
      return { accountId: String(readToken(key(), exportPurpose, token, now(), filename).claims[0]) };
    },
    site({ accountId, websiteId, space, visibility }) {
      if (visibility === 'public') return publicSiteUrl(baseUrl(), space);
      // In the path, so that the relative links of its pages keep it.
      const token = signToken(key(), sitePurpose, [accountId, websiteId, visibility], now() + fileAddressTtlMs);
      return `${baseUrl()}/private-sites/${token}/`;
    },
    readSite(token) {
      const [accountId, websiteId, visibility] = readToken(key(), sitePurpose, token, now()).claims.map(String);
      return { accountId: accountId ?? '', websiteId: websiteId ?? '', visibility: visibility ?? '' };
    },
    readFile: (filename, token) => fileOf(filename, readToken(key(), filePurpose, token, now(), filename)),
  };
}
