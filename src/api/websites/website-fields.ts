import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import { mainTaskId, mainTaskShortcut } from '../../rules/agents/default-agent.ts';
import type { SiteVisibility } from '../../rules/websites/site.ts';
import { hasSharingTeam, type WebsiteKey, websiteNotFound } from '../../store/websites/websites.ts';
import type { Context } from '../contract/operation.ts';

const name = (about: string) => z.string().nullish().meta({ description: about });

/** Selects a site by its ID, or by the task whose newest site it is. */
export const websiteFields = {
  website_id: name('Identifier of the website; instead of `task_id`.'),
  task_id: name('The task that created the website; instead of `website_id`.'),
};

interface Named {
  website_id?: string | null | undefined;
  task_id?: string | null | undefined;
}

/** 400 unless exactly one of the two is given; 404 for an invalid id. An empty string counts as omitted. */
export function keyOfWebsite({ website_id, task_id }: Named, { principal }: Context): WebsiteKey {
  const { accountId } = principal;
  const [websiteId, named] = [website_id || null, task_id || null];
  const taskId = named === mainTaskShortcut ? mainTaskId(accountId) : named;
  if ((websiteId === null) === (taskId === null)) {
    throw invalidField('website_id', 'exactly one of website_id and task_id is required');
  }
  if (!isId(websiteId ?? taskId ?? '')) throw websiteNotFound();
  return { accountId, websiteId, taskId };
}

/** 403 if there is no team that the site would be shared with. */
export async function checkVisibility(
  visibility: SiteVisibility,
  site: { accountId: string; websiteId: string },
  { read }: Pick<Context, 'read'>,
): Promise<void> {
  if (visibility !== 'team' || (await read(hasSharingTeam, site))) return;
  throw new Fault('permission_denied', 'visibility: team needs a team account.');
}
