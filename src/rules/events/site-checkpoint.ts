import type { PublishedFor, SitePlatform } from '../websites/site.ts';

/** A snapshot of a site, made from a folder of the workspace. */
export interface SiteCheckpoint {
  /** Id of the website, which is also the id of its artifact. */
  websiteId: string;
  /** The folder in the workspace, with a trailing slash. The next site made from it is a newer checkpoint of the same site. */
  folder: string;
  /** The name in its public address, set by the first checkpoint. */
  space: string;
  title: string;
  platform: SitePlatform;
  versionId: string;
  message: string;
  /** All files concatenated, followed by their index as JSON from `indexAt` on. */
  blobId: string;
  indexAt: number;
  bytes: number;
  /** Present if the site is published at the same time, which its user has confirmed. */
  publishFor?: PublishedFor;
}
