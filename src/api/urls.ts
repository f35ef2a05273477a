import { taskUrl } from '../rules/task-url.ts';

/** Addresses that clients can open. */
export interface Urls {
  task(taskId: string): string;
  share(shareId: string): string;
}

/** @param baseUrl gives the address of the service as clients see it, without a slash at the end */
export function createUrls(baseUrl: () => string): Urls {
  return {
    task: (taskId) => taskUrl(baseUrl(), taskId),
    share: (shareId) => `${baseUrl()}/share/${shareId}`,
  };
}
