import { createBrowserChoice } from '../../ui/controls/browser-choice.ts';

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

const openGroups = createBrowserChoice<ReadonlySet<string>>(
  'errand.sidebar.groups',
  (stored) => new Set(stored?.split(' ')),
  (names) => (names.size === 0 ? null : [...names].join(' ')),
);

/** Opens or folds a group of pages; stored in this browser. */
export function toggleGroup(name: string): void {
  const names = new Set(openGroups.get());
  if (!names.delete(name)) names.add(name);
  openGroups.set(names);
}

/** The names of the groups that the user has opened. */
export const useOpenGroups = openGroups.useValue;
