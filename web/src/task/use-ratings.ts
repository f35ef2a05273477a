import type { Rating } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { errand } from '../api/errand.ts';
import { readAll } from '../api/paging.ts';
import { queryClient } from '../api/query-client.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { showError } from '../ui/feedback/toast.tsx';
import type { OwnRating, Ratings } from './rows/row-props.ts';

/** What this person thinks of the answers of a task. `isReady`: the task is there, and has answers. */
export function useRatings(taskId: string, isReady: boolean): Ratings {
  const accountId = useSession().data?.account.id;
  const queryKey = keys.ratings(taskId);
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) =>
      readAll<Rating>((from) => errand.task.listRatings({ task_id: taskId, limit: 100, ...from }, { signal })),
    enabled: isReady && accountId !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return useMemo(() => {
    // People of the account's product rate for it, too.
    const isOwn = (one: Rating) => one.user_id === accountId && one.external_user_id === undefined;
    const own = new Map(data?.filter(isOwn).map((one) => [one.event_id, one]));
    const rate = async (eventId: string, { rating, reason }: OwnRating) => {
      try {
        await errand.task.rate({ task_id: taskId, event_id: eventId, rating, reason });
        await queryClient.invalidateQueries({ queryKey: keys.ratings(taskId) });
        return true;
      } catch (error) {
        showError(error);
        return false;
      }
    };
    return { of: (eventId) => own.get(eventId) ?? null, rate };
  }, [data, accountId, taskId]);
}
