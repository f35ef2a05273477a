import type { ArchiveContent, ContentAddresses, ContentFile, SiteAddress, UploadPlace } from '../../rules/files/content-url.ts';
import { taskUrl } from '../../rules/tasks/task-url.ts';

/** Addresses that clients can open. */
export interface Urls {
  task(taskId: string): string;
  share(shareId: string): string;
  /** Of a page of the web application, by its path. */
  page(path: string): string;
  /** Where the bytes of a file can be fetched for the next 48 hours, without a credential. */
  file(file: ContentFile): string;
  /** Where the bytes of a file are sent until then, without a credential. */
  upload(place: UploadPlace, endsAtMs: number): string;
  /** Where these files can be fetched as one archive for the next 48 hours, without a credential. */
  archive(content: ArchiveContent, filename: string): string;
  /** The same for what a task made, while it is shared at this id. */
  sharedArchive(shareId: string, filename: string): string;
  /** Where a published site is, for 48 hours unless it is public. */
  site(site: SiteAddress): string;
}

/** @param baseUrl gives the address of the service as clients see it, without a slash at the end */
export function createUrls(
  baseUrl: () => string,
  content: Pick<ContentAddresses, 'file' | 'upload' | 'archive' | 'sharedArchive' | 'site'>,
): Urls {
  return {
    task: (taskId) => taskUrl(baseUrl(), taskId),
    share: (shareId) => `${baseUrl()}/share/${shareId}`,
    page: (path) => baseUrl() + path,
    file: (file) => content.file(file),
    upload: (place, endsAtMs) => content.upload(place, endsAtMs),
    archive: (files, filename) => content.archive(files, filename),
    sharedArchive: (shareId, filename) => content.sharedArchive(shareId, filename),
    site: (site) => content.site(site),
  };
}
