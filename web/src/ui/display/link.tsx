import type { ComponentProps } from 'react';
import { joinClasses } from './class-names.ts';

export const linkClasses = 'text-accent underline decoration-current/40 underline-offset-3 hover:decoration-current';

/** A link out of the application, in a tab of its own; the page there learns nothing of this one. For pages of our own, the router's. */
export function ExternalLink({ className, children, ...rest }: ComponentProps<'a'> & { href: string }) {
  return (
    <a target="_blank" rel="noopener noreferrer nofollow" className={joinClasses(linkClasses, className)} {...rest}>
      {children}
    </a>
  );
}
