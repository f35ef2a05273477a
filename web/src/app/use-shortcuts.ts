import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { hasOverlay, showOverlay } from './overlay-state.ts';
import { areSingleKeysOn, isOwnKey } from '../ui/controls/single-keys.ts';
import { toggleSidebar } from './sidebar/sidebar-state.ts';
import { findAdjacentTask, listKnownTasks } from '../task-list/task-order.ts';

/** Ignores keys while the user is typing, or a dialog or menu is open. */
function isTaken(event: KeyboardEvent): boolean {
  const { target, defaultPrevented } = event;
  if (hasOverlay() || defaultPrevented || !(target instanceof HTMLElement) || event.isComposing || event.altKey) return true;
  return target.isContentEditable || target.closest('input, textarea, select, [role="dialog"], [role="menu"]') !== null;
}

/** Handles global keyboard shortcuts. */
export function useShortcuts(): void {
  const navigate = useNavigate();
  const { taskId = null } = useParams({ strict: false });
  useEffect(() => {
    const goToTask = (step: number) => {
      const next = findAdjacentTask(listKnownTasks(), taskId, step);
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
      if (hasCommand || !action || !areSingleKeysOn() || isOwnKey(event) || isTaken(event)) return;
      event.preventDefault();
      action();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [navigate, taskId]);
}
