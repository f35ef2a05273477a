import { z } from 'zod';
import { invalidField, missingField } from '@errand/base/fault.ts';
import { toOneLine } from '@errand/base/text/one-line.ts';
import { siteVisibilities } from '../../rules/websites/site.ts';
import { getWebsite, updateWebsite } from '../../store/websites/websites.ts';
import { optional } from '../contract/fields.ts';
import { defineOperation } from '../contract/operation.ts';
import { checkVisibility, keyOfWebsite, websiteFields } from './website-fields.ts';

const longestTitle = 100;

function readTitle(title: string | undefined): string | null {
  if (title === undefined) return null;
  const clean = toOneLine(title);
  if (clean === '') throw invalidField('title', 'must not be empty');
  return clean;
}

export const websiteUpdate = defineOperation('POST', 'website.update', {
  summary: "Updates a website's title or visibility.",
  details:
    'At least one of the two is required. A private site is reachable only through pre-signed URLs, effective immediately.',
  access: 'trusted',
  request: z.object({
    ...websiteFields,
    title: optional(z.string().max(longestTitle)),
    visibility: optional(z.enum(siteVisibilities)),
  }),
  response: z.object({}),
  async handle({ title, visibility, ...named }, context) {
    const key = keyOfWebsite(named, context);
    if (title === undefined && visibility === undefined) throw missingField('title', ', or visibility');
    const newTitle = readTitle(title);
    const { accountId, id: websiteId } = await context.read(getWebsite, key);
    if (visibility !== undefined) await checkVisibility(visibility, { accountId, websiteId }, context);
    const change = { title: newTitle, visibility: visibility ?? null, now: context.now };
    await context.write(updateWebsite, { accountId, websiteId, ...change });
    return {};
  },
});
