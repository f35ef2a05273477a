import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasOverlay, showOverlay } from './overlay-state.ts';
import { areSingleKeysOn } from '../ui/controls/single-keys.ts';
import { toggleSidebar } from './sidebar-state.ts';
import { findNeighbour, listKnownTasks } from './task-order.ts';

/** Keys belong to what is being written, and to a dialog or menu in front. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, defaultPrevented } = event;
  if (hasOverlay() || defaultPrevented || !(target instanceof HTMLElement) || event.isComposing || event.altKey) return true;
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
}

/** Listens to the keys that work everywhere. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const { taskId = null } = useParams({ strict: false });
  useEffect(() => {
    const goToTask = (step: number) => {
      const next = findNeighbour(listKnownTasks(), taskId, step);
      if (next !== null) void navigate({ to: '/app/$taskId', params: { taskId: next } });
    };
    const actions: Record<string, () => unknown> = {
      '?': () => showOverlay('keys'),
      n: () => navigate({ to: '/', hash: 'new' }),
      j: () => goToTask(1),
      k: () => goToTask(-1),
      '[': toggleSidebar,
    };
    const onKeyDown = (event: KeyboardEvent) => {
      const hasCommand = event.metaKey || event.ctrlKey;
      if (hasCommand && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        showOverlay('palette');
        return;
      }
      const action = actions[event.key];
      if (hasCommand || !action || !areSingleKeysOn() || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate, taskId]);
}
