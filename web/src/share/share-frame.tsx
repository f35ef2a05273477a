import type { ReactNode } from 'react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { Mark } from '../ui/display/mark.tsx';
import { usePageTitle } from '../ui/display/page.tsx';

interface ShareFrameProps {
  title: string;
  /** Content below the title. */
  facts?: ReactNode;
  /** Content beside the title. */
  actions?: ReactNode;
  /** Whether the content takes the whole width. */
  isWide?: boolean;
  children: ReactNode;
}

/** The page around shared content: a title, and an unobtrusive note about Errand. */
export function ShareFrame({ title, facts, actions, isWide = false, children }: ShareFrameProps) {
  const { app, share } = useText();
  usePageTitle(title);
  return (
    <div className="flex h-dvh min-h-0 flex-col print:block print:h-auto">
      <header className="shrink-0 border-b border-line">
        <div
          className={joinClasses(
            'mx-auto flex w-full flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3 sm:px-6 print:max-w-3xl',
            !isWide && 'max-w-3xl',
          )}
        >
          <div className="min-w-0 flex-1 basis-56">
            <h1
              dir="auto"
              tabIndex={-1}
              title={title}
              className="line-clamp-2 text-lg font-semibold tracking-tight wrap-anywhere"
            >
              {title}
            </h1>
            {facts !== undefined && <p className="mt-0.5 text-sm text-soft">{facts}</p>}
          </div>
          {actions}
        </div>
      </header>
      <main id="main" tabIndex={-1} className="flex min-h-0 flex-1 flex-col print:block">
        {children}
      </main>
      <footer className="flex shrink-0 items-center justify-center gap-2 border-t border-line px-4 py-2 text-xs text-soft">
        <Mark className="size-3.5 shrink-0 text-accent" />
        {share.madeWith(app.name)}
      </footer>
    </div>
  );
}
