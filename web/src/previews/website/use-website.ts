import type { Response } from '@errand/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errand } from '../../api/errand.ts';

export type WebsiteStatus = Response<'website.status'>;
export type WebsiteVisibility = WebsiteStatus['visibility'];

/** The audience of a published version. `same`: those who can see the site already, at first only its owner. */
export type Audience = 'public' | 'team' | 'same';

/** Polling interval during publication. */
const pollMs = 1_000;

/** A site: whether and for whom it is published, and its checkpoints. */
export function useWebsite(websiteId: string) {
  const client = useQueryClient();
  const named = { website_id: websiteId };
  const key = ['website', websiteId] as const;
  const status = useQuery({
    queryKey: [...key, 'status'],
    queryFn: ({ signal }) => errand.website.status(named, { signal }),
    refetchInterval: ({ state }) => (state.data?.publish_status === 'publishing' ? pollMs : false),
  });
  const checkpoints = useQuery({
    queryKey: [...key, 'checkpoints', status.data?.publish_status],
    queryFn: ({ signal }) => errand.website.listCheckpoints(named, { signal }),
  });
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const publish = useMutation({
    mutationFn: (audience: Audience) =>
      errand.website.publish({ ...named, ...(audience === 'same' ? { keep_visibility: true } : { visibility: audience }) }),
    onSettled,
  });
  const share = useMutation({
    mutationFn: (visibility: WebsiteVisibility) => errand.website.update({ ...named, visibility }),
    onSettled,
  });
  return { status, checkpoints, publish, share };
}
