import { X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { getLocale, useText } from '../../text/locale.ts';
import { joinClasses } from '../display/class-names.ts';
import { describeError } from './state.tsx';

interface Toast {
  id: number;
  message: string;
  isBad: boolean;
}

const durationMs = 6_000;
const mostShown = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function show(message: string, isBad: boolean): void {
  lastId += 1;
  change([...toasts, { id: lastId, message, isBad }].slice(-mostShown));
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

/** Confirms an action in a corner, and to screen readers. */
export function showToast(message: string): void {
  show(message, false);
}

/** Reports why an action failed. A page that cannot load shows an `ErrorState` instead. */
export function showError(error: unknown): void {
  show(describeError(error, getLocale().texts), true);
}

function ToastCard({ toast }: { toast: Toast }) {
  const { ui } = useText();
  useEffect(() => {
    const timer = setTimeout(() => dismiss(toast.id), toast.isBad ? durationMs * 2 : durationMs);
    return () => clearTimeout(timer);
  }, [toast]);
  return (
    <div
      className={joinClasses(
        'appear pointer-events-auto flex items-start gap-2 rounded-md py-2 pr-2 pl-3.5 text-sm shadow-float',
        toast.isBad ? 'bg-bad-soft text-bad' : 'bg-card text-ink',
      )}
    >
      <span className="min-w-0 flex-1 py-0.5 wrap-anywhere">{toast.message}</span>
      <button type="button" aria-label={ui.dismiss} className="rounded-sm p-1 hover:bg-hover" onClick={() => dismiss(toast.id)}>
        <X aria-hidden className="size-4" />
      </button>
    </div>
  );
}

/** Where toasts appear. Both regions always exist, because screen readers announce only changes in known regions. */
export function ToastArea() {
  const { ui } = useText();
  const shown = useSyncExternalStore(subscribe, () => toasts);
  const place = (isBad: boolean) =>
    shown.filter((toast) => toast.isBad === isBad).map((toast) => <ToastCard key={toast.id} toast={toast} />);
  return (
    <section
      aria-label={ui.notifications}
      className="pointer-events-none fixed inset-x-4 bottom-4 z-60 flex flex-col gap-2 sm:left-auto sm:w-88"
    >
      <div role="status" className="flex flex-col gap-2">
        {place(false)}
      </div>
      <div role="alert" className="flex flex-col gap-2">
        {place(true)}
      </div>
    </section>
  );
}
