import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../text/locale.ts';
import { buttonClasses } from '../controls/button.tsx';
import { Mark } from '../display/mark.tsx';
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
  return (
    <div className="flex flex-col items-center px-4 pt-[14dvh] pb-24 text-center">
      <EmptyPicture icon={<Mark />} />
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
