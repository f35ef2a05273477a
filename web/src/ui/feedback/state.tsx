import { ErrandError } from '@errand/client';
import type { ReactNode } from 'react';
import type { Texts } from '../../text/en.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../controls/button.tsx';

export interface EmptyStateProps {
  icon?: ReactNode;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** Two blank sheets, and the icon of what will be on them. */
function EmptyPicture({ icon }: { icon: ReactNode }) {
  return (
    <div className="relative mb-4 flex h-24 w-36 items-center justify-center text-accent">
      <svg aria-hidden viewBox="0 0 144 96" fill="none" strokeWidth="1.5" strokeLinecap="round" className="absolute inset-0">
        <ellipse cx="72" cy="90" rx="54" ry="4" className="fill-accent-soft" />
        <g className="fill-card stroke-edge">
          <path
            transform="rotate(-9 48 50)"
            d="M30 20h36a5 5 0 0 1 5 5v50a5 5 0 0 1-5 5H30a5 5 0 0 1-5-5V25a5 5 0 0 1 5-5zM33 32h14M33 42h8"
          />
          <path
            transform="rotate(8 96 50)"
            d="M78 16h36a5 5 0 0 1 5 5v54a5 5 0 0 1-5 5H78a5 5 0 0 1-5-5V21a5 5 0 0 1 5-5zM98 28h13M104 38h7"
          />
        </g>
        <circle cx="72" cy="52" r="24" className="fill-accent-soft stroke-accent" />
        <path d="M14 30v8M10 34h8M131 60v6M128 63h6M60 10v4M58 12h4" className="stroke-accent" />
      </svg>
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
