import { z } from 'zod';
import { eventId, isId } from '@errand/base/ids.ts';
import { taskStatuses } from '../../rules/events/task-event.ts';
import { readQuery } from '../../rules/search/words.ts';
import { findTasks, type FoundTask } from '../../store/search/find-tasks.ts';
import { searchTasks } from '../../store/tasks/task-search.ts';
import type { TaskRecord } from '../../store/tasks/task-record.ts';
import { cursor, optional, pageEnd, queryFlag, queryInteger } from '../contract/fields.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { readListPage } from '../contract/list-page.ts';
import { presentTask, taskObject } from './task-object.ts';

const longestText = 200;

const request = z.object({
  limit: queryInteger(1, 100, 20),
  cursor,
  text: optional(z.string()).meta({
    description: [
      'Words in the title, messages, replies, file names, or text files, in any order; the last one may be incomplete.',
      'Case, accents, and punctuation are ignored.',
    ].join(' '),
  }),
  status: optional(z.enum(taskStatuses)),
  project_id: optional(z.string()),
  agent_id: optional(z.string()).meta({ description: 'Subtasks of this agent, including hidden ones.' }),
  api_key_id: optional(z.string()),
  oauth_client_id: optional(z.string()),
  is_archived: queryFlag('Archived tasks instead of all others.'),
  is_pinned: queryFlag('Only pinned tasks.'),
});

const match = z.object({
  found_in: z.enum(['title', 'message', 'reply', 'file']).meta({ description: 'The newest place with the most of the words.' }),
  event_id: z.string().optional().meta({ description: 'The event of a message or reply.' }),
  artifact_id: z.string().optional().meta({ description: 'The artifact of a file.' }),
  snippet: z
    .array(z.object({ text: z.string(), is_match: z.boolean() }))
    .meta({ description: 'A passage of plain text in parts; `is_match` marks the words.' }),
});

const foundTask = taskObject.extend({
  match: match.optional().meta({ description: 'Where the words of `text` were found; absent without it.' }),
});

/** A task of the page; without words to look for, it has no match. */
type Found = { task: TaskRecord; match: FoundTask['match'] | null };

function presentMatch({ task, match: found }: Found): { match?: z.input<typeof match> } {
  if (found === null) return {};
  const { kind, event, artifactId, snippet } = found;
  return {
    match: {
      found_in: kind,
      ...(event && { event_id: eventId(task.id, event.seq, event.atMs) }),
      ...(artifactId !== null && { artifact_id: artifactId }),
      snippet: snippet.map((part) => ({ text: part.text, is_match: part.isMatch })),
    },
  };
}

function presentFound(found: Found, context: Context): z.input<typeof foundTask> {
  return { ...presentTask(found.task, context), ...presentMatch(found) };
}

export const taskSearch = defineOperation('GET', 'task.search', {
  summary: 'Searches the tasks that the web application lists, newest first, by their words and by status.',
  details: [
    'Tasks created with hide_in_task_list are left out. A search without matches gives an empty list.',
    'New words are found within seconds after the end of a turn; those of a long turn about once a minute.',
  ].join(' '),
  access: 'browser',
  request,
  response: z.object({ data: z.array(foundTask), ...pageEnd }),
  async handle({ limit, cursor: after, text = '', status, project_id: projectId, agent_id: agentId, ...more }, context) {
    const { principal, read } = context;
    const { is_archived: isArchived, is_pinned: isPinned, ...origin } = more;
    // No row contains NUL, and PostgreSQL rejects it.
    const isHopeless = [agentId, ...Object.values(origin)].some((value) => value?.includes('\0'));
    const words = readQuery(text.slice(0, longestText));
    const isWordless = words === null && text.trim() !== '';
    const matchesNothing = isHopeless || isWordless || (projectId !== undefined && !isId(projectId)) || text.length > longestText;
    const filter = {
      accountId: principal.accountId,
      statuses: status === undefined ? null : [status],
      projectId: projectId ?? null,
      agentId: agentId?.toWellFormed().toLowerCase() ?? null,
      apiKeyId: origin.api_key_id?.toWellFormed() ?? null,
      oauthClientId: origin.oauth_client_id?.toWellFormed() ?? null,
      isListedOnly: agentId === undefined,
      isArchived,
      isPinned,
    };
    const all = { order: 'desc', sortBy: 'created_at', texts: [], createdFromMs: null, createdUntilMs: null } as const;
    const readPage = async (afterId: string | null, count: number): Promise<Found[]> => {
      if (matchesNothing) return [];
      const page = { ...filter, afterId, limit: count };
      if (words) return read(findTasks, { ...page, query: words });
      return (await read(searchTasks, { ...page, ...all })).map((task) => ({ task, match: null }));
    };
    const query = ['web/task.search', words, ...Object.values(filter)];
    const { items, end } = await readListPage({ query, cursor: after, limit }, readPage, ({ task }) => task.id);
    return { data: items.map((found) => presentFound(found, context)), ...end };
  },
});
