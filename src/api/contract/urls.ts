import type { ArchiveContent, ContentAddresses, ContentFile, SiteAddress, UploadPlace } from '../../rules/files/content-url.ts';
import type { PreviewPlace } from '../../rules/previews/preview-address.ts';
import { taskUrl } from '../../rules/tasks/task-url.ts';

/** URLs for clients. */
export interface Urls {
  task(taskId: string): string;
  share(shareId: string): string;
  /** The URL of a page of the web application, given its path. */
  page(path: string): string;
  /** Downloads the bytes of a file for the next 48 hours, without a credential. */
  file(file: ContentFile): string;
  /** Uploads the bytes of a file until then, without a credential. */
  upload(place: UploadPlace, endsAtMs: number): string;
  /** Downloads these files as one archive for the next 48 hours, without a credential. */
  archive(content: ArchiveContent, filename: string): string;
  /** Downloads the files of a task as one archive, without a credential, while the task is shared under this id. */
  sharedArchive(shareId: string, filename: string): string;
  /** Downloads an account with all its data for the next hour, without a credential. */
  accountExport(accountId: string, filename: string): { url: string; endsAtMs: number };
  /** A published site, for 48 hours unless it is public. */
  site(site: SiteAddress): string;
  /** A server in the sandbox of a task, for six hours at least. */
  preview(place: PreviewPlace): { url: string; endsAtMs: number };
}

/** @param baseUrl returns the public URL of the service, without a trailing slash */
export function createUrls(
  baseUrl: () => string,
  content: Pick<ContentAddresses, 'file' | 'upload' | 'archive' | 'sharedArchive' | 'accountExport' | 'site'>,
  previews: { url(place: PreviewPlace): { url: string; endsAtMs: number } },
): Urls {
  return {
    task: (taskId) => taskUrl(baseUrl(), taskId),
    share: (shareId) => `${baseUrl()}/share/${shareId}`,
    page: (path) => baseUrl() + path,
    file: (file) => content.file(file),
    upload: (place, endsAtMs) => content.upload(place, endsAtMs),
    archive: (files, filename) => content.archive(files, filename),
    sharedArchive: (shareId, filename) => content.sharedArchive(shareId, filename),
    accountExport: (accountId, filename) => content.accountExport(accountId, filename),
    site: (site) => content.site(site),
    preview: (place) => previews.url(place),
  };
}
