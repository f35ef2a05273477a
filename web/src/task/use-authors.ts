import type { Task } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useSession } from '../api/session.ts';
import { useTaskMembers } from '../api/settings-queries.ts';
import { taskShowQuery } from '../api/task-show-query.ts';
import { useText } from '../text/locale.ts';
import type { Conversation } from './conversation/conversation.ts';
import type { RowContext } from './rows/row-props.ts';
import type { TaskAccess } from './use-access.ts';

/** Names those who wrote the messages of a task that is handed over, or was; undefined where the owner alone has written. */
export function useAuthors(
  taskId: string,
  { hasAuthors }: Pick<Conversation, 'hasAuthors'>,
  task: Task | undefined,
  access: TaskAccess,
): RowContext['nameAuthor'] {
  const { people } = useText();
  const selfId = useSession().data?.account.id;
  const isShown = access !== null && (hasAuthors || task?.assignee !== undefined);
  const members = useTaskMembers(taskId, isShown);
  const teamId = useQuery({ ...taskShowQuery(taskId), enabled: isShown }).data?.owner.team_id;
  const owner = access?.kind === 'owner' ? people.you : access?.email;
  const nameAuthor = useCallback(
    (authorId: string | null) => {
      if (authorId === null) return owner ?? '';
      if (authorId === selfId) return people.you;
      return members?.find(({ account_id: id }) => id === authorId)?.email ?? people.formerMember;
    },
    [members, owner, selfId, people],
  );
  // Nobody is called a former member because the list is not there yet.
  return isShown && (members !== undefined || teamId === null) ? nameAuthor : undefined;
}
