import { useEffect, useMemo, useSyncExternalStore } from 'react';
import { browserPorts, type FeedSource } from './browser-ports.ts';
import { TaskFeed } from './task-feed.ts';

/** The feed of a source, active while the component is mounted; rerenders on every change. */
export function useTaskFeed(source: FeedSource): TaskFeed {
  const feed = useMemo(() => new TaskFeed(browserPorts(source)), [source]);
  useEffect(() => {
    feed.start();
    return () => feed.stop();
  }, [feed]);
  useSyncExternalStore(feed.subscribe, () => feed.revision);
  return feed;
}
