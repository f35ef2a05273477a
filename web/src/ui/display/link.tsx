import type { ComponentProps } from 'react';
import { joinClasses } from './class-names.ts';

export const linkClasses = 'text-accent underline decoration-current/40 underline-offset-3 hover:decoration-current';

/** An external link in a new tab, isolated from this page. For internal pages, use the router's link. */
export function ExternalLink({ className, children, ...rest }: ComponentProps<'a'> & { href: string }) {
  return (
    <a target="_blank" rel="noopener noreferrer nofollow" className={joinClasses(linkClasses, className)} {...rest}>
      {children}
    </a>
  );
}
