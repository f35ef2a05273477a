import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { listWatch } from '../api/list-watch.ts';
import { watchTaskEnds } from '../api/task-cache.ts';
import { getLocale } from '../text/locale.ts';
import { createBrowserChoice } from '../ui/controls/browser-choice.ts';
import { shownStatus } from '../ui/display/task-status.tsx';

const notices = createBrowserChoice(
  'errand.notices',
  (stored) => stored === 'on' && hasPermission(),
  (isOn) => (isOn ? 'on' : null),
);

function hasPermission(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Whether this browser supports notifications. */
export const canNotify = 'Notification' in window && window.isSecureContext;

/** Turns notifications on, if the user permits them, or off. Stored in this browser. */
export async function setNotices(wanted: boolean): Promise<boolean> {
  const isAllowed = wanted && (await Notification.requestPermission()) === 'granted';
  notices.set(isAllowed);
  return isAllowed === wanted;
}

export const useNoticesOn = notices.useValue;

function notify(task: Task, onOpen: () => void): void {
  if (!notices.get() || document.visibilityState === 'visible') return;
  const { app, ui } = getLocale().texts;
  // One tag per task: several tabs show one notification.
  const notice = new Notification(task.title || app.untitled, { body: ui.taskStatus[shownStatus(task)], tag: task.id });
  notice.addEventListener('click', () => {
    window.focus();
    onOpen();
    notice.close();
  });
}

/** Notifies about tasks that finish in the background, while notifications are on. */
export function useFinishNotices(): void {
  const isWanted = useNoticesOn();
  const navigate = useNavigate();
  useEffect(() => {
    if (!isWanted || !canNotify) return undefined;
    listWatch.staysHidden = true;
    const unwatch = watchTaskEnds((task) =>
      notify(task, () => void navigate({ to: '/app/$taskId', params: { taskId: task.id } })),
    );
    return () => {
      listWatch.staysHidden = false;
      unwatch();
    };
  }, [isWanted, navigate]);
}
