import { createBrowserChoice } from '../ui/controls/browser-choice.ts';

const collapsed = createBrowserChoice(
  'errand.sidebar',
  (stored) => stored === 'collapsed',
  (isCollapsed) => (isCollapsed ? 'collapsed' : 'open'),
);

/** Expanded or collapsed; stored in this browser. */
export function toggleSidebar(): void {
  collapsed.set(!collapsed.get());
}

export const useSidebarCollapsed = collapsed.useValue;
