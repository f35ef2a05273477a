import { type ReactNode, useEffect } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from './class-names.ts';

/** Sets the title of the tab; undefined while it is unknown, null if a parent sets it. */
export function usePageTitle(title: string | undefined | null): void {
  const { app } = useText();
  useEffect(() => {
    if (title === null) return;
    document.title = title === undefined || title === '' ? app.name : `${title} · ${app.name}`;
  }, [title, app.name]);
}

export interface PageHeaderProps {
  title: string;
  /** One sentence on what the page is for. */
  lead?: ReactNode;
  actions?: ReactNode;
}

/** The heading of a page, focused after navigation so that screen readers start there. */
export function PageHeader({ title, lead, actions }: PageHeaderProps) {
  usePageTitle(title);
  return (
    <header className="mb-6 flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-64">
        <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
          {title}
        </h1>
        {lead !== undefined && <p className="mt-1 max-w-prose text-soft">{lead}</p>}
      </div>
      {actions !== undefined && <div className="flex flex-wrap items-center gap-2 max-sm:has-[input]:w-full">{actions}</div>}
    </header>
  );
}

/** The content column of a page. */
export function Page({ children, isWide = false }: { children: ReactNode; isWide?: boolean }) {
  return (
    <div className={joinClasses('mx-auto w-full px-4 pt-6 pb-24 sm:px-8 sm:pt-10', isWide ? 'max-w-6xl' : 'max-w-3xl')}>
      {children}
    </div>
  );
}
