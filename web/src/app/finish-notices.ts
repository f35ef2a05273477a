import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { listWatch } from '../api/list-watch.ts';
import { watchTaskEnds } from '../api/task-cache.ts';
import { getLocale } from '../text/locale.ts';

const storageKey = 'errand.notices';
let isOn = readChoice() && hasPermission();
const listeners = new Set<() => void>();

function readChoice(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'on';
  } catch {
    return false;
  }
}

function hasPermission(): boolean {
  return 'Notification' in window && Notification.permission === 'granted';
}

/** Whether this browser supports notifications. */
export const canNotify = 'Notification' in window && window.isSecureContext;

/** Turns notifications on, if the user permits them, or off. Stored in this browser. */
export async function setNotices(wanted: boolean): Promise<boolean> {
  const isAllowed = wanted && (await Notification.requestPermission()) === 'granted';
  isOn = isAllowed;
  try {
    if (isAllowed) localStorage.setItem(storageKey, 'on');
    else localStorage.removeItem(storageKey);
  } catch {
    // Without storage, the choice lasts as long as the page.
  }
  for (const listener of listeners) listener();
  return isAllowed === wanted;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useNoticesOn(): boolean {
  return useSyncExternalStore(subscribe, () => isOn);
}

function notify(task: Task, onOpen: () => void): void {
  if (!isOn || document.visibilityState === 'visible') return;
  const { app, ui } = getLocale().texts;
  // One tag per task: several tabs show one notification.
  const notice = new Notification(task.title || app.untitled, { body: ui.taskStatus[task.status], tag: task.id });
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
