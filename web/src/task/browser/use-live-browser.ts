import { type RefObject, useEffect, useMemo, useState } from 'react';
import { callWeb } from '../../api/web-call.ts';
import { showError } from '../../ui/feedback/toast.tsx';
import { drawOn, paintInOrder, unpackJpeg } from './draw-picture.ts';
import { InputQueue } from './input-queue.ts';
import { followRequest, refusedAfterMs, type TakeRequest } from './take-over.ts';
import { type BrowserState, BrowserWatch } from './watch-browser.ts';

const nothing: BrowserState = { driver: 'nobody', is_ready: false, width: 0, height: 0 };

function newViewId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Whether this page has asked for the browser; a request that nothing answers ends as refused. */
function useTakeRequest() {
  const [request, setRequest] = useState<TakeRequest>('none');
  useEffect(() => {
    if (request !== 'asked') return undefined;
    const timer = setTimeout(() => setRequest('refused'), refusedAfterMs);
    return () => clearTimeout(timer);
  }, [request]);
  return [request, setRequest] as const;
}

/** The browser of a task as it is now: its picture is drawn on the canvas while the page is visible. */
export function useLiveBrowser(taskId: string, canvas: RefObject<HTMLCanvasElement | null>) {
  const [view] = useState(() => ({ view_id: newViewId() }));
  const [state, setState] = useState(nothing);
  const [request, setRequest] = useTakeRequest();
  const page = useMemo(() => ({ task_id: taskId, ...view }), [taskId, view]);
  useEffect(() => {
    const paint = paintInOrder(unpackJpeg, (image) => drawOn(canvas.current, image));
    const watch = new BrowserWatch({
      ...{ taskId, viewId: view.view_id },
      onLook: ({ picture, ...look }) => {
        // A stream that begins again need not begin with a picture: the one before is still there.
        setState(({ width, height }) => (look.width > 0 ? look : { ...look, width, height }));
        setRequest((before) => followRequest(before, look.driver));
        if (picture !== null) void paint(picture);
      },
      onLost: () => {
        setState(nothing);
        setRequest('none');
      },
    });
    return () => {
      watch.close();
      // The agent need not wait until the silence of this page is noticed.
      if (watch.isHolding) void callWeb('task.driveBrowser', { ...page, action: 'hand_back' }).catch(() => undefined);
    };
  }, [taskId, view, page, canvas, setRequest]);
  const queue = useMemo(
    () =>
      new InputQueue({
        send: (inputs) => callWeb('task.driveBrowser', { ...page, action: 'input', inputs }),
        onLost: showError,
      }),
    [page],
  );
  const ask = async (action: 'take' | 'hand_back') => {
    // What was typed last would be refused once the agent has the browser again.
    if (action === 'hand_back') await queue.sent;
    setRequest(action === 'take' ? 'asked' : 'none');
    return callWeb('task.driveBrowser', { ...page, action });
  };
  const isHeld = state.driver === 'you';
  return {
    state,
    /** Whether this page has asked for the browser and waits for it. */
    isWaiting: request === 'asked' || (isHeld && !state.is_ready),
    isRefused: request === 'refused',
    isDriving: isHeld && state.is_ready,
    ask,
    act: queue.add.bind(queue),
  };
}

export type LiveBrowserHand = ReturnType<typeof useLiveBrowser>;
