import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { newId } from '@errand/base/ids.ts';
import { boundClientOf, narrowToOrigin } from '../../rules/accounts/access.ts';
import { artifactTypes } from '../../rules/artifacts/artifact-type.ts';
import { mainTaskId, mainTaskShortcut } from '../../rules/agents/default-agent.ts';
import { absoluteTtlMs, idleTtlMs, keptPages, maxPages } from '../../rules/artifacts/artifact-list-cursor.ts';
import { type ArtifactFilter, type ArtifactPage, listArtifacts } from '../../store/artifacts/artifact-list.ts';
import type { ArtifactRecord } from '../../store/artifacts/artifact-record.ts';
import { createListCursor, type TurnResult, turnPage } from '../../store/artifacts/artifact-list-cursors.ts';
import { artifactObject, presentArtifact } from './artifact-object.ts';
import { openCursor, sealCursor } from '../contract/cursor.ts';
import { cursor, pageEnd, queryFlag, queryInteger } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';

const longestName = 1000;

const request = z.object({
  type: z.enum(['all', ...artifactTypes]).default('all'),
  limit: queryInteger(1, 100, 20),
  cursor,
  query: z.string().max(longestName).optional().meta({ description: 'Part of the display name or filename, case-insensitive.' }),
  task_id: z.string().optional().meta({ description: 'Only artifacts of this task.' }),
  favorite: queryFlag('Only favourites.'),
  oauth_client_id: z
    .string()
    .optional()
    .meta({ description: 'Only artifacts of tasks created by this application; cannot be combined with `api_key_id`.' }),
  api_key_id: z
    .string()
    .optional()
    .meta({ description: 'Only artifacts of tasks created with this API key; cannot be combined with `oauth_client_id`.' }),
});

type Input = z.output<typeof request>;

/** An empty parameter counts as absent. */
function textOrNull(text: string | undefined): string | null {
  return text === undefined || text === '' ? null : text;
}

function readFilter(input: Input, { principal }: Context): ArtifactFilter {
  const origin = narrowToOrigin(principal, textOrNull(input.oauth_client_id), textOrNull(input.api_key_id));
  return {
    accountId: principal.accountId,
    type: input.type === 'all' ? null : input.type,
    taskId: input.task_id === mainTaskShortcut ? mainTaskId(principal.accountId) : textOrNull(input.task_id),
    ...origin,
    name: textOrNull(input.query)?.toLowerCase() ?? null,
    isFavorite: input.favorite,
  };
}

/** Impossible ids and names yield an empty list, without causing a database error. */
function matchesNothing({ taskId, oauthClientId, apiKeyId, name }: ArtifactFilter): boolean {
  const isImpossible = [taskId, oauthClientId, apiKeyId].some((id) => id !== null && !/^[!-~]{1,200}$/.test(id));
  return isImpossible || (name !== null && /\p{Cc}|\p{Cs}/u.test(name));
}

const minutes = (ms: number) => `${ms / 60_000} minutes`;

const refusals: Record<Extract<TurnResult, { outcome: 'refused' }>['why'], Fault> = {
  unknown: invalidField('cursor', 'is unknown or has expired; start again without a cursor'),
  expired: invalidField(
    'cursor',
    `has expired (${minutes(idleTtlMs)} without use, ${minutes(absoluteTtlMs)} in all); start again without a cursor`,
  ),
  gone: invalidField('cursor', `only the newest ${keptPages} pages can be read again; start again without a cursor`),
  exceeded: new Fault(
    'resource_exhausted',
    `This list has reached its limit of ${maxPages} pages. Narrow the query and start again without a cursor.`,
  ),
};

interface Page {
  items: ArtifactRecord[];
  /** The cursor for the next page, null at the end of the list. */
  next: string | null;
}

function placeOf(listCursorId: string, number: number): string {
  return `${listCursorId}.${number}`;
}

/** The first page; a cursor is only stored if there are more. */
async function begin(filter: ArtifactFilter, limit: number, seal: string, context: Context): Promise<Page> {
  const page: ArtifactPage = await context.read(listArtifacts, { filter, limit });
  const hasResources = page.items.some(({ resourceUri }) => resourceUri !== null);
  if (page.position === null && !hasResources) return { items: page.items, next: null };
  const { accountId } = filter;
  const listCursorId = newId(context.now);
  const { items } = await context.write(createListCursor, { accountId, listCursorId, query: seal, now: context.now, page });
  return { items, next: page.position === null ? null : placeOf(listCursorId, 2) };
}

async function turn(place: string, filter: ArtifactFilter, limit: number, seal: string, context: Context): Promise<Page> {
  const [listCursorId = '', page = ''] = place.split('.');
  const number = Number(page);
  const turned = await context.write(turnPage, { filter, limit, listCursorId, query: seal, number, now: context.now });
  if (turned.outcome === 'refused') throw refusals[turned.why];
  return { items: turned.items, next: turned.hasMore ? placeOf(listCursorId, number + 1) : null };
}

export const artifactList = defineOperation('GET', 'artifact.list', {
  summary: "Lists the artifacts of the account's tasks, newest first.",
  details: [
    'Filters combine with AND. A page can be shorter than `limit`, or empty, while `has_more` is true: continue until it is false.',
    `A cursor holds for the same query and limit, for ${minutes(idleTtlMs)} after its last use and ${minutes(absoluteTtlMs)} after`,
    `the first page; the newest ${keptPages} pages can be read again. A list of more than ${maxPages} pages ends in 429`,
    '`resource_exhausted`: narrow the query then.',
  ].join(' '),
  access: 'tasks',
  cost: 'read',
  request,
  response: z.object({ data: z.array(artifactObject), ...pageEnd }),
  async handle(input, context) {
    const { limit } = input;
    const filter = readFilter(input, context);
    // The scope is part of the cursor's query; two credentials with the same rights share it.
    const query = ['artifact.list', boundClientOf(context.principal), filter, limit];
    const seal = JSON.stringify(query);
    const place = input.cursor === undefined ? null : openCursor(query, input.cursor);
    if (matchesNothing(filter)) return { data: [], has_more: false };
    const { items, next } = await (place === null
      ? begin(filter, limit, seal, context)
      : turn(place, filter, limit, seal, context));
    return {
      data: items.map((artifact) => presentArtifact(artifact, context)),
      ...(next === null ? { has_more: false } : { has_more: true, next_cursor: sealCursor(query, next) }),
    };
  },
});
