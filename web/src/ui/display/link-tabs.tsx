import { Link, type LinkProps } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

export interface LinkTabsProps {
  label: string;
  tabs: readonly { to: NonNullable<LinkProps['to']>; label: string; isExact?: boolean }[];
}

/** Tabs with a URL each. If they don't all fit, the current one is scrolled into view. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const present = bar.current?.querySelector<HTMLElement>('[aria-current=page]');
    if (bar.current && present) bar.current.scrollLeft = present.offsetLeft - (bar.current.clientWidth - present.offsetWidth) / 2;
  });
  return (
    <nav ref={bar} aria-label={label} className="relative mb-8 flex overflow-x-auto border-b border-line sm:gap-1">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          activeOptions={{ exact: tab.isExact === true }}
          className="-mb-px border-b-2 border-transparent px-2.5 py-2 text-sm whitespace-nowrap text-soft -outline-offset-2 hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink sm:px-3 pointer-coarse:py-3"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
