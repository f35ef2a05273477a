import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen, Search, SquarePen } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/locale.ts';
import { joinClasses } from '../ui/display/class-names.ts';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { commandKey, Kbd } from '../ui/display/kbd.tsx';
import { Tooltip } from '../ui/controls/tooltip.tsx';
import { AccountMenu } from './account-menu.tsx';
import { InboxBadge } from './inbox-badge.tsx';
import { showOverlay } from './overlay-state.ts';
import { useSidebarPages } from './sidebar-pages.ts';
import { RecentTasks } from './recent-tasks.tsx';
import { toggleSidebar } from './sidebar-state.ts';

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

function Brand() {
  const { app } = useText();
  return (
    <Link to="/" className="flex items-center gap-2.5 rounded-md px-2.5 py-1 font-semibold tracking-tight">
      <span
        aria-hidden
        className="flex size-5.5 items-center justify-center rounded-md bg-accent text-sm font-bold text-on-accent"
      >
        E
      </span>
      {app.name}
    </Link>
  );
}

export interface SidebarProps {
  isCollapsed?: boolean;
  /** In a drawer there is nothing to collapse; following a link closes it. */
  isDrawer?: boolean;
}

/** Links to all pages, the latest tasks, and the account menu. */
export function Sidebar({ isCollapsed = false, isDrawer = false }: SidebarProps) {
  const { app } = useText();
  const toggleLabel = isCollapsed ? app.expand : app.collapse;
  return (
    <div className="flex h-full min-h-0 flex-col gap-3 p-3">
      <div className={joinClasses('flex items-center justify-between', isDrawer && 'pr-10')}>
        {!isCollapsed && <Brand />}
        {!isCollapsed && (
          <IconButton
            label={app.palette}
            hint={<Kbd keys={[commandKey, 'K']} />}
            icon={<Search aria-hidden />}
            onClick={() => showOverlay('palette')}
            className="ml-auto"
          />
        )}
        {!isDrawer && (
          <IconButton
            label={toggleLabel}
            aria-expanded={!isCollapsed}
            icon={isCollapsed ? <PanelLeftOpen aria-hidden /> : <PanelLeftClose aria-hidden />}
            onClick={toggleSidebar}
            className={isCollapsed ? 'mx-auto' : ''}
          />
        )}
      </div>
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
        {useSidebarPages().map(({ to, name, Icon }) => (
          <Named key={to} isCollapsed={isCollapsed} name={app[name]}>
            <Link to={to} activeOptions={{ exact: to === '/' }} className={itemClasses}>
              <Icon aria-hidden />
              <span className={isCollapsed ? 'sr-only' : ''}>{app[name]}</span>
              {to === '/inbox' && <InboxBadge isDot={isCollapsed} />}
            </Link>
          </Named>
        ))}
      </nav>
      <div className="min-h-0 flex-1 basis-24">{!isCollapsed && <RecentTasks />}</div>
      <AccountMenu isCollapsed={isCollapsed} />
    </div>
  );
}
