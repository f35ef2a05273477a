import { ErrandError } from '@errand/client';
import { lazy, type ReactNode, Suspense } from 'react';
import type { Texts } from '../../text/en.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';

const BlankSheets = lazy(async () => ({ default: (await import('./blank-sheets.tsx')).BlankSheets }));

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A drawing, loaded with the first empty list, and the icon of what will be there. */
export function EmptyPicture({ icon }: { icon: ReactNode }) {
  return (
    <div className="relative mb-4 flex h-24 w-36 items-center justify-center text-accent">
      <Suspense>
        <BlankSheets />
      </Suspense>
      <div className="relative mt-2 [&_svg]:size-6">{icon}</div>
    </div>
  );
}

/** An empty list: what appears here, and how to add it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center rounded-lg border border-dashed border-line px-6 py-10 text-center">
      {icon !== undefined && <EmptyPicture icon={icon} />}
      <h2 className="text-base font-medium">{title}</h2>
      {children !== undefined && <div className="mt-1 max-w-md text-soft">{children}</div>}
      {action !== undefined && <div className="mt-4">{action}</div>}
    </div>
  );
}

/** An error message for users. */
export function describeError(error: unknown, { ui }: Texts): string {
  if (!(error instanceof ErrandError)) return error instanceof Error ? error.message : ui.failed;
  return error.code === 'connection' ? ui.connectionLost : error.message;
}

export interface ErrorStateProps {
  error: unknown;
  onRetry?: () => unknown;
}

/** A loading error: its reason, the request's reference, and a retry button. */
export function ErrorState({ error, onRetry }: ErrorStateProps) {
  const text = useText();
  const requestId = error instanceof ErrandError ? error.requestId : null;
  return (
    <div role="alert" className="rounded-lg border border-line bg-bad-soft px-5 py-4 text-bad">
      <p className="font-medium">{text.ui.failed}</p>
      <p className="mt-1 wrap-anywhere">{describeError(error, text)}</p>
      {requestId !== null && <p className="mt-1 font-mono text-xs wrap-anywhere">{text.ui.reference(requestId)}</p>}
      {onRetry && (
        <Button size="small" className="mt-3" onClick={() => void onRetry()}>
          {text.ui.retry}
        </Button>
      )}
    </div>
  );
}
