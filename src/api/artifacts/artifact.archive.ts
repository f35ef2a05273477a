import { z } from 'zod';
import { Fault, invalidField } from '@errand/base/fault.ts';
import { isId } from '@errand/base/ids.ts';
import type { ArchiveContent } from '../../rules/files/content-url.ts';
import { getReadableTask } from '../../store/tasks/tasks.ts';
import { archiveOffer, offerArchive } from './archive-offer.ts';
import { type Context, defineOperation } from '../contract/operation.ts';
import { keyOfTask } from '../contract/owned-task.ts';

const mostNamed = 100;

const request = z.object({
  task_id: z.string().optional().meta({ description: 'All artifacts of this task, instead of `artifact_ids`.' }),
  artifact_ids: z
    .string()
    .optional()
    .meta({ description: `Up to ${mostNamed} artifact ids separated by commas, instead of \`task_id\`.` }),
});

interface Chosen {
  content: ArchiveContent;
  title: string;
}

async function chooseTask(taskId: string, context: Context): Promise<Chosen> {
  const { key, title } = await context.read(getReadableTask, keyOfTask(taskId, context));
  return { content: { accountId: key.accountId, taskId: key.taskId, artifactIds: [] }, title };
}

function chooseArtifacts(named: string, { principal }: Context): Chosen {
  const artifactIds = [...new Set(named.split(','))];
  if (artifactIds.length > mostNamed) throw invalidField('artifact_ids', `must name at most ${mostNamed} artifacts`);
  if (!artifactIds.every((id) => isId(id))) throw new Fault('not_found', 'artifact not found');
  return { content: { accountId: principal.accountId, taskId: null, artifactIds }, title: 'files' };
}

export const artifactArchive = defineOperation('GET', 'artifact.archive', {
  summary: 'Returns a URL that downloads all artifacts of a task, or the given ones, as one zip file.',
  details:
    'The URL is valid for 48 hours and always serves the latest versions. Slides are included in both formats; websites are not included.',
  access: 'tasks',
  request,
  response: archiveOffer,
  async handle({ task_id, artifact_ids }, context) {
    if ((task_id === undefined) === (artifact_ids === undefined)) {
      throw invalidField('task_id', 'exactly one of task_id and artifact_ids is required');
    }
    const { content, title } = await (task_id === undefined
      ? chooseArtifacts(artifact_ids ?? '', context)
      : chooseTask(task_id, context));
    return offerArchive(content, title, context);
  },
});
