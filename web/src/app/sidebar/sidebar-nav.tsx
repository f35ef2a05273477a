import { Link, useLocation } from '@tanstack/react-router';
import { ChevronRight, SquarePen } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { Tooltip } from '../../ui/controls/tooltip.tsx';
import { InboxBadge } from './inbox-badge.tsx';
import { type SidebarGroup, type SidebarPage, useSidebarPages } from './sidebar-pages.ts';
import { toggleGroup, useOpenGroups } from './sidebar-state.ts';

const itemClasses =
  'relative flex min-h-8 shrink-0 items-center gap-3 rounded-md px-2.5 text-sm text-soft transition-colors hover:bg-hover hover:text-ink aria-[current=page]:bg-hover aria-[current=page]:font-medium aria-[current=page]:text-ink pointer-coarse:min-h-11 [&_svg]:size-4.5 [&_svg]:shrink-0';

/** A name that only shows as a tooltip while the sidebar is narrow. */
function Named({ isCollapsed, name, children }: { isCollapsed: boolean; name: string; children: ReactNode }) {
  if (!isCollapsed) return children;
  return (
    <Tooltip label={name} side="right">
      {children}
    </Tooltip>
  );
}

interface PageLinksProps {
  pages: readonly SidebarPage[];
  isCollapsed: boolean;
}

function PageLinks({ pages, isCollapsed }: PageLinksProps) {
  const { app } = useText();
  return pages.map(({ to, name, Icon }) => (
    <Named key={to} isCollapsed={isCollapsed} name={app[name]}>
      <Link to={to} activeOptions={{ exact: to === '/' }} className={itemClasses}>
        <Icon aria-hidden />
        <span className={isCollapsed ? 'sr-only' : ''}>{app[name]}</span>
        {to === '/inbox' && <InboxBadge isDot={isCollapsed} />}
      </Link>
    </Named>
  ));
}

/** Pages below a heading that folds them. The page that is shown is never folded away. */
function Group({ name, pages }: SidebarGroup) {
  const { app } = useText();
  const { pathname } = useLocation();
  const listId = useId();
  const isHere = pages.some(({ to }) => pathname === to || pathname.startsWith(`${to}/`));
  const isOpen = useOpenGroups().has(name) || isHere;
  return (
    <div className="mt-1.5 flex flex-col gap-0.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={listId}
        onClick={() => toggleGroup(name)}
        className="flex min-h-7 shrink-0 items-center gap-1 rounded-md px-2.5 text-xs font-medium text-soft hover:bg-hover hover:text-ink pointer-coarse:min-h-11"
      >
        {app[name]}
        <ChevronRight aria-hidden className={joinClasses('size-3.5 transition-transform', isOpen && 'rotate-90')} />
      </button>
      <div id={listId} hidden={!isOpen} className={isOpen ? 'flex flex-col gap-0.5' : ''}>
        <PageLinks pages={pages} isCollapsed={false} />
      </div>
    </div>
  );
}

/** Links to all pages: those for every day, and the others in groups. A narrow sidebar shows all icons, divided by lines. */
export function SidebarNav({ isCollapsed }: { isCollapsed: boolean }) {
  const { app } = useText();
  const { daily, groups } = useSidebarPages();
  return (
    <nav
      aria-label={app.mainNavigation}
      className="-mx-1 flex min-h-32 flex-col gap-0.5 overflow-y-auto px-1 py-0.5 [scrollbar-width:thin]"
    >
      <Named isCollapsed={isCollapsed} name={app.newTask}>
        <Link
          to="/"
          hash="new"
          activeOptions={{ includeHash: true }}
          className="mb-1 flex min-h-9 shrink-0 items-center gap-3 rounded-md border border-line bg-card px-2.5 text-sm font-medium hover:bg-hover pointer-coarse:min-h-11"
        >
          <SquarePen aria-hidden className="size-4.5 shrink-0" />
          <span className={isCollapsed ? 'sr-only' : ''}>{app.newTask}</span>
        </Link>
      </Named>
      <PageLinks pages={daily} isCollapsed={isCollapsed} />
      {groups.map(({ name, pages }) =>
        isCollapsed ? (
          <div key={name} className="mt-1 flex flex-col gap-0.5 border-t border-line pt-1.5">
            <PageLinks pages={pages} isCollapsed />
          </div>
        ) : (
          <Group key={name} name={name} pages={pages} />
        ),
      )}
    </nav>
  );
}
