import { z } from 'zod';
import { invalidField } from '@errand/base/fault.ts';
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
    keep_visibility: z.boolean().nullish().meta({
      description:
        'Publishes for those who can see the website already; one that was never published is then visible only to its owner. Instead of `visibility`.',
    }),
  }),
  response: z.object({ website_id: z.string(), version_id: z.string() }),
  async handle({ visibility: asked, keep_visibility: isKept, ...named }, context) {
    if (asked && isKept) throw invalidField('keep_visibility', 'cannot be true together with visibility');
    const { accountId, id: websiteId } = await context.read(getWebsite, keyOfWebsite(named, context));
    const visibility = isKept ? null : asked || 'public';
    if (visibility) await checkVisibility(visibility, { accountId, websiteId }, context);
    const published = await context.write(publishWebsite, { accountId, websiteId, visibility, now: context.now });
    return { website_id: published.websiteId, version_id: published.versionId };
  },
});
