import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { callWeb } from '../../api/web-call.ts';

const lookMs = 4_000;

/** A server that runs in the sandbox of a task. */
export interface Server {
  port: number;
  /** Where its pages are, for the owner of the task alone. */
  url: string;
}

/**
 * The servers in the sandbox of a task, looked for again and again while the page is visible.
 * @param isHeld whether the agent works on it; otherwise nothing runs
 */
export function useServers(taskId: string, isHeld: boolean) {
  const { data } = useQuery({
    queryKey: ['servers', taskId],
    queryFn: async ({ signal }): Promise<Server[]> => (await callWeb('task.listPreviews', { task_id: taskId }, { signal })).data,
    refetchInterval: lookMs,
    enabled: isHeld,
    retry: false,
  });
  const servers = isHeld ? (data ?? []) : [];
  // The last one that was there, to say that it has ended.
  const [last, setLast] = useState<Server | null>(null);
  const newest = servers.at(-1);
  if (newest && newest.port !== last?.port && !servers.some(({ port }) => port === last?.port)) setLast(newest);
  return { servers, last, isKnown: data !== undefined };
}
