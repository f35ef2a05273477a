import { claimDueSites, findPublicSite, findSignedSite, recordPublication } from './published-websites.ts';
import { getReadableWebsite, getWebsite, listCheckpoints, publishWebsite, updateWebsite } from './websites.ts';

/** The operations on websites that the database thread knows. */
export const websiteOperations = [
  getReadableWebsite,
  getWebsite,
  listCheckpoints,
  publishWebsite,
  updateWebsite,
  findPublicSite,
  findSignedSite,
  claimDueSites,
  recordPublication,
];
