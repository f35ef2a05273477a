import { Link } from '@tanstack/react-router';
import { PanelLeftClose, PanelLeftOpen, Search } from 'lucide-react';
import { useText } from '../../text/locale.ts';
import { joinClasses } from '../../ui/display/class-names.ts';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { commandKey, Kbd } from '../../ui/display/kbd.tsx';
import { Mark } from '../../ui/display/mark.tsx';
import { AccountMenu } from './account-menu.tsx';
import { showOverlay } from '../overlay-state.ts';
import { RecentTasks } from './recent-tasks.tsx';
import { SidebarNav } from './sidebar-nav.tsx';
import { toggleSidebar } from './sidebar-state.ts';

function Brand() {
  const { app } = useText();
  return (
    <Link to="/" className="flex items-center gap-2.5 rounded-md px-2.5 py-1 font-semibold tracking-tight">
      <span className="rounded-md bg-accent p-1 text-on-accent">
        <Mark className="size-3.5" />
      </span>
      {app.name}
    </Link>
  );
}

export interface SidebarProps {
  isCollapsed?: boolean;
  /** Whether the sidebar is a drawer, which cannot be collapsed and closes when a link is followed. */
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
      <SidebarNav isCollapsed={isCollapsed} />
      <div className="min-h-0 flex-1 basis-24">{!isCollapsed && <RecentTasks />}</div>
      <AccountMenu isCollapsed={isCollapsed} />
    </div>
  );
}
