import type { Rating } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { ThumbsDown, ThumbsUp } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { nameRow } from '../task-list/row-name.ts';
import { useText } from '../text/locale.ts';
import { Select } from '../ui/controls/select.tsx';
import { Page } from '../ui/display/page.tsx';
import { PagedList } from '../ui/display/paged-list.tsx';
import { Time } from '../ui/display/time.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';

type Filter = 'all' | 'up' | 'down';

function RatingRow({ rating }: { rating: Rating }) {
  const { agent, task, app } = useText();
  const Icon = rating.rating === 'up' ? ThumbsUp : ThumbsDown;
  return (
    <li className="flex gap-3 border-b border-line py-3">
      <Icon aria-label={task.rating[rating.rating]} className="mt-0.5 size-4.5 shrink-0 text-soft" />
      <div className="min-w-0 flex-1">
        {rating.reason !== '' && <p className="font-medium wrap-anywhere">{rating.reason}</p>}
        <Link
          to="/app/$taskId"
          params={{ taskId: rating.task_id }}
          hash={nameRow(rating.event_id)}
          className="block text-sm text-soft hover:text-ink hover:underline"
        >
          <span className="line-clamp-2 wrap-anywhere">{rating.message || agent.ratedFiles}</span>
        </Link>
        <p className="mt-1 flex flex-wrap gap-x-3 text-xs text-soft">
          <span className="max-w-full truncate">{rating.task_title || app.untitled}</span>
          <span>{rating.external_user_id ?? rating.email ?? ''}</span>
          <Time ms={rating.rated_at * 1000} />
        </p>
      </div>
    </li>
  );
}

/** What people think of the agent's answers, the latest first. */
export function RatingList() {
  const { agent, task } = useText();
  const [filter, setFilter] = useState<Filter>('all');
  const pages = usePages<Rating>([...keys.ratings(''), filter], {
    fetchPage: (cursor, signal) =>
      errand.task.listRatings(
        { limit: 50, ...(filter !== 'all' && { rating: filter }), ...(cursor !== undefined && { cursor }) },
        { signal },
      ),
  });
  const options = [
    { value: 'all' as const, label: agent.allRatings },
    { value: 'up' as const, label: task.rating.up },
    { value: 'down' as const, label: task.rating.down },
  ];
  return (
    <Page>
      <div className="mb-2 flex justify-end">
        <Select<Filter> isQuiet aria-label={agent.ratingFilter} value={filter} options={options} onValueChange={setFilter} />
      </div>
      <PagedList
        pages={pages}
        skeleton={{ className: 'h-16' }}
        empty={<EmptyState title={agent.noRatings}>{agent.noRatingsBody}</EmptyState>}
      >
        {(rows) => (
          <ul aria-label={agent.ratings}>
            {rows.map((rating) => (
              <RatingRow key={`${rating.event_id} ${rating.user_id} ${rating.external_user_id ?? ''}`} rating={rating} />
            ))}
          </ul>
        )}
      </PagedList>
    </Page>
  );
}
