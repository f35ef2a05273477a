import { readStream } from '@errand/client/task-stream.ts';
import { webConnection } from '../api/errand.ts';
import { callWeb } from '../api/web-call.ts';
import type { FeedSource } from '../task/feed/browser-ports.ts';

/** The conversation of a shared task: without tools, plans and partial replies. */
export function shareSource(shareId: string): FeedSource {
  const named = { share_id: shareId };
  return {
    readPage: (cursor, limit, signal) =>
      callWeb('share.listMessages', { ...named, limit, ...(cursor !== null && { cursor }) }, { signal }),
    openStream: ({ lastEventId, signal, onReceived }) =>
      readStream(webConnection, {
        path: '/web/share.stream',
        input: named,
        lastEventId: lastEventId ?? undefined,
        signal,
        onReceived,
      }),
  };
}
