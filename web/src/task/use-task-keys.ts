import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTaskList } from '../task-list/use-task-list.ts';
import { areSingleKeysOn, isOwnKey } from '../ui/controls/single-keys.ts';

export interface TaskKeys {
  taskId: string;
  focusComposer(): void;
  toggleTools(): void;
  /** Null while there is nothing to stop. */
  stop: (() => void) | null;
  /** Null while there is nothing to close. */
  close: (() => void) | null;
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"]') !== null;
}

/** Open menus, dialogs and the like, which handle keys themselves. */
function hasOverlay(): boolean {
  return document.querySelector('[role="dialog"], [role="menu"], [role="listbox"]') !== null;
}

/**
 * Shortcuts of the task page: `/` focuses the composer, `e` expands the steps, `j` and `k` go to the next and previous task, ⌘. or Ctrl+.
 * stops the agent; so does Escape, if there is nothing to close.
 */
export function useTaskKeys(keys: TaskKeys): void {
  const { items } = useTaskList({});
  const navigate = useNavigate();
  const latest = useRef<(event: KeyboardEvent) => void>(() => undefined);
  useEffect(() => {
    const go = (step: number) => {
      const index = items.findIndex(({ id }) => id === keys.taskId);
      const next = items[index + step];
      if (index >= 0 && next) void navigate({ to: '/app/$taskId', params: { taskId: next.id } });
    };
    const plain: Record<string, () => void> = {
      '/': keys.focusComposer,
      e: keys.toggleTools,
      j: () => go(1),
      k: () => go(-1),
    };
    latest.current = (event) => {
      if (event.defaultPrevented || event.isComposing || hasOverlay()) return;
      const isCommand = event.metaKey || event.ctrlKey;
      if (!isCommand && isOwnKey(event)) return;
      const isPlain = areSingleKeysOn() && !isCommand && !event.altKey && !isTyping(event.target);
      let action = isPlain ? plain[event.key] : null;
      if (event.key === 'Escape') action = keys.close ?? keys.stop;
      else if (event.key === '.' && isCommand) action = keys.stop;
      if (!action) return;
      event.preventDefault();
      action();
    };
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => latest.current(event);
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}
