import type { ContentAddresses, ContentFile, SiteAddress, UploadPlace } from '../rules/content-address.ts';
import { taskUrl } from '../rules/task-url.ts';

/** Addresses that clients can open. */
export interface Urls {
  task(taskId: string): string;
  share(shareId: string): string;
  /** Where the bytes of a file can be fetched for the next 48 hours, without a credential. */
  file(file: ContentFile): string;
  /** Where the bytes of a file are sent until then, without a credential. */
  upload(place: UploadPlace, endsAtMs: number): string;
  /** Where a published site is, for 48 hours unless it is public. */
  site(site: SiteAddress): string;
}

/** @param baseUrl gives the address of the service as clients see it, without a slash at the end */
export function createUrls(baseUrl: () => string, content: Pick<ContentAddresses, 'file' | 'upload' | 'site'>): Urls {
  return {
    task: (taskId) => taskUrl(baseUrl(), taskId),
    share: (shareId) => `${baseUrl()}/share/${shareId}`,
    file: (file) => content.file(file),
    upload: (place, endsAtMs) => content.upload(place, endsAtMs),
    site: (site) => content.site(site),
  };
}
