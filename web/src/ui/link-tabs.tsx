import { Link, type LinkProps } from '@tanstack/react-router';

export interface LinkTabsProps {
  label: string;
  tabs: readonly { to: NonNullable<LinkProps['to']>; label: string; isExact?: boolean }[];
}

/** Parts of an area, each with an address of its own. */
export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className="mb-8 flex gap-1 overflow-x-auto border-b border-line">
      {tabs.map((tab) => (
        <Link
          key={tab.to}
          to={tab.to}
          activeOptions={{ exact: tab.isExact === true }}
          className="-mb-px border-b-2 border-transparent px-3 py-2 text-sm whitespace-nowrap text-soft hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:py-3"
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
