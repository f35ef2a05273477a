import { z } from 'zod';
import { publishStatuses, siteVisibilities } from '../../rules/websites/site.ts';
import { getReadableWebsite } from '../../store/websites/websites.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebsite, websiteFields } from './website-fields.ts';
import { toUnixTime } from '../contract/unix-time.ts';

export const websiteStatus = defineOperation('GET', 'website.status', {
  summary: "Returns a website's publication status, URL, and visibility.",
  details: 'The URL of a site that is not public is pre-signed and valid for 48 hours.',
  access: 'trusted',
  request: z.object(websiteFields),
  response: z.object({
    website_id: z.string(),
    publish_status: z.enum(publishStatuses),
    site_urls: z.array(z.string()).meta({ description: 'Empty unless the site is published.' }),
    version_id: z.string().optional().meta({ description: 'The published checkpoint.' }),
    status_updated_at: z.int().optional().meta({ description: 'Unix time in seconds; only while it is published.' }),
    visibility: z.enum(siteVisibilities),
  }),
  async handle(input, context) {
    const site = await context.read(getReadableWebsite, keyOfWebsite(input, context));
    const { accountId, id: websiteId, space, visibility, publishStatus, publishedVersion } = site;
    const isPublished = publishStatus === 'published';
    return {
      website_id: websiteId,
      publish_status: publishStatus,
      site_urls: isPublished ? [context.urls.site({ accountId, websiteId, space, visibility })] : [],
      ...(isPublished && {
        version_id: publishedVersion ?? '',
        status_updated_at: toUnixTime(site.statusUpdatedAtMs),
      }),
      visibility,
    };
  },
});
