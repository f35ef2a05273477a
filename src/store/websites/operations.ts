import { claimDueSites, findPublicSite, findSignedSite, recordPublication } from './published-websites.ts';
import { getReadableWebsite, getWebsite, hasSharingTeam, listCheckpoints, publishWebsite, updateWebsite } from './websites.ts';

/** Every operation on websites. */
export const websiteOperations = [
  getReadableWebsite,
  getWebsite,
  hasSharingTeam,
  listCheckpoints,
  publishWebsite,
  updateWebsite,
  findPublicSite,
  findSignedSite,
  claimDueSites,
  recordPublication,
];
