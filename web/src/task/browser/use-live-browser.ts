import { parseEventStream } from '@errand/client/event-stream.ts';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { webConnection } from '../../api/errand.ts';
import { callWeb } from '../../api/web-call.ts';
import { InputQueue } from './input-queue.ts';

/** What the service streams (`task.watchBrowser`). */
interface Look {
  driver: 'nobody' | 'agent' | 'you' | 'person';
  /** Whether who has taken it over can act. */
  is_ready: boolean;
  /** Null if the one before is still right. */
  picture: string | null;
  /** Of the page that the picture shows. */
  width: number;
  height: number;
}
export type BrowserState = Omit<Look, 'picture'>;

const retryMs = 3_000;
const nothing: BrowserState = { driver: 'nobody', is_ready: false, width: 0, height: 0 };

function newViewId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Draws a picture as a JPEG and as nothing else; one that is broken leaves what was there before. */
async function draw(canvas: HTMLCanvasElement | null, base64: string): Promise<void> {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const image = await createImageBitmap(new Blob([bytes], { type: 'image/jpeg' })).catch(() => null);
  if (!image) return;
  if (canvas) {
    if (canvas.width !== image.width) canvas.width = image.width;
    if (canvas.height !== image.height) canvas.height = image.height;
    canvas.getContext('2d')?.drawImage(image, 0, 0);
  }
  image.close();
}

/** Resolves after the time, or when the signal aborts. */
function rest(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

async function follow(taskId: string, viewId: string, take: (look: Look) => void, signal: AbortSignal): Promise<void> {
  const input = { task_id: taskId, view_id: viewId };
  const response = await webConnection.open({ method: 'GET', path: '/web/task.watchBrowser', input, signal });
  if (!response.body) return;
  for await (const { event, data } of parseEventStream(response.body)) {
    if (event === 'browser') take(JSON.parse(data) as Look);
  }
}

/** The browser of a task as it is now: its picture is drawn on the canvas while the page is visible. */
export function useLiveBrowser(taskId: string, canvas: RefObject<HTMLCanvasElement | null>) {
  const [viewId] = useState(newViewId);
  const [state, setState] = useState(nothing);
  const [isWanted, setWanted] = useState(false);
  const isVisible = useRef(true);
  useEffect(() => {
    const life = new AbortController();
    let connection = new AbortController();
    const take = ({ picture, ...look }: Look) => {
      setState(look);
      if (picture !== null) void draw(canvas.current, picture);
    };
    const watch = async () => {
      while (!life.signal.aborted) {
        connection = new AbortController();
        const signal = AbortSignal.any([life.signal, connection.signal]);
        if (document.visibilityState === 'visible') await follow(taskId, viewId, take, signal).catch(() => undefined);
        if (!life.signal.aborted) setState((last) => ({ ...last, driver: 'nobody' }));
        await rest(retryMs, signal);
      }
    };
    const look = () => {
      const isNow = document.visibilityState === 'visible';
      if (isNow !== isVisible.current) connection.abort();
      isVisible.current = isNow;
    };
    document.addEventListener('visibilitychange', look);
    void watch();
    return () => {
      document.removeEventListener('visibilitychange', look);
      life.abort();
    };
  }, [taskId, viewId, canvas]);
  const drive = (more: { action: 'take' | 'hand_back' }) =>
    callWeb('task.driveBrowser', { task_id: taskId, view_id: viewId, ...more });
  const queue = useMemo(
    () => new InputQueue((inputs) => callWeb('task.driveBrowser', { task_id: taskId, view_id: viewId, action: 'input', inputs })),
    [taskId, viewId],
  );
  const ask = (action: 'take' | 'hand_back') => {
    setWanted(action === 'take');
    return drive({ action });
  };
  return {
    state,
    /** Whether this page has asked for the browser and waits for it. */
    isWaiting: isWanted && (state.driver === 'agent' || (state.driver === 'you' && !state.is_ready)),
    isDriving: state.driver === 'you' && state.is_ready,
    ask,
    act: queue.add.bind(queue),
  };
}

export type LiveBrowserHand = ReturnType<typeof useLiveBrowser>;
