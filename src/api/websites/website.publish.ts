import { z } from 'zod';
import { getWebsite, publishWebsite } from '../../store/websites/websites.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkVisibility, keyOfWebsite, websiteFields } from './website-fields.ts';

export const websitePublish = defineOperation('POST', 'website.publish', {
  summary: 'Publishes the newest checkpoint of a website.',
  details: 'Runs in the background: website.status reports `publishing`, then `published` or `failed`.',
  access: 'trusted',
  request: z.object({
    ...websiteFields,
    visibility: z.enum(['public', 'team', '']).nullish().meta({ description: 'Default, also if empty: `public`.' }),
  }),
  response: z.object({ website_id: z.string(), version_id: z.string() }),
  async handle({ visibility: asked, ...named }, context) {
    const visibility = asked || 'public';
    const { accountId, id: websiteId } = await context.read(getWebsite, keyOfWebsite(named, context));
    await checkVisibility(visibility, context);
    const published = await context.write(publishWebsite, { accountId, websiteId, visibility, now: context.now });
    return { website_id: published.websiteId, version_id: published.versionId };
  },
});
