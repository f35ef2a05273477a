import { z } from 'zod';
import { listCheckpoints } from '../../store/websites/websites.ts';
import { defineOperation } from '../contract/operation.ts';
import { keyOfWebsite, websiteFields } from './website-fields.ts';
import { toUnixTime, unixTime } from '../contract/unix-time.ts';

const checkpoint = z
  .object({
    version_id: z.string(),
    message: z.string(),
    status: z.enum(['pending', 'success', 'failed', 'unspecified']),
    created_at: unixTime,
  })
  .meta({ id: 'WebsiteCheckpoint' });

export const websiteListCheckpoints = defineOperation('GET', 'website.listCheckpoints', {
  summary: 'Lists the checkpoints of a website, newest first.',
  access: 'trusted',
  request: z.object(websiteFields),
  response: z.object({
    website_id: z.string(),
    data: z.array(checkpoint),
    published_version_id: z.string().optional(),
  }),
  async handle(input, context) {
    const { website, checkpoints } = await context.read(listCheckpoints, keyOfWebsite(input, context));
    const { publishedVersion } = website;
    return {
      website_id: website.id,
      data: checkpoints.map(({ versionId, message, createdAtMs }) => ({
        version_id: versionId,
        message,
        // Checkpoints are stored atomically.
        status: 'success' as const,
        created_at: toUnixTime(createdAtMs),
      })),
      ...(publishedVersion !== null && { published_version_id: publishedVersion }),
    };
  },
});
