import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { buttonClasses } from '../controls/button.tsx';
import { usePageTitle } from '../display/page.tsx';
import { EmptyPicture } from './state.tsx';

interface MissingPageProps {
  title: string;
  /** What may have happened, in a sentence or two. */
  lead: ReactNode;
  /** Buttons that lead on. */
  children: ReactNode;
}

/** Fills the place of a page that is not there: the mark on a drawing, what may have happened, and a way on. */
export function MissingPage({ title, lead, children }: MissingPageProps) {
  usePageTitle(title);
  const mark = (
    <svg aria-hidden viewBox="8 8 16 16" fill="none" stroke="currentColor" strokeWidth="2.2" strokeLinecap="round">
      <path d="M22 10H12.5a2.5 2.5 0 0 0-2.5 2.5v7a2.5 2.5 0 0 0 2.5 2.5H22M10.5 16H20" />
    </svg>
  );
  return (
    <div className="flex flex-col items-center px-4 pt-[14dvh] pb-24 text-center">
      <EmptyPicture icon={mark} />
      <h1 tabIndex={-1} className="text-xl font-semibold tracking-tight">
        {title}
      </h1>
      <p className="mt-1 max-w-md text-soft">{lead}</p>
      <div className="mt-5 flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  );
}

/** Takes the place of one of several things that is not there, with a button to their list. */
export function MissingItem({ to, list }: { to: NonNullable<LinkProps['to']>; list: string }) {
  const { app } = useText();
  return (
    <MissingPage title={app.notFoundTitle} lead={app.notFoundBody}>
      <Link to={to} className={buttonClasses('primary')}>
        {list}
      </Link>
    </MissingPage>
  );
}
