import {
  BookOpen,
  Bot,
  CalendarClock,
  ChartNoAxesColumn,
  CodeXml,
  CookingPot,
  FolderKanban,
  Inbox,
  ListTodo,
  NotebookText,
  Plug,
  Server,
  Sparkles,
  Zap,
} from 'lucide-react';

import { useSession } from '../../api/session.ts';

const daily = [
  { to: '/', name: 'tasks', Icon: ListTodo },
  { to: '/inbox', name: 'inbox', Icon: Inbox },
  { to: '/projects', name: 'projects', Icon: FolderKanban },
  { to: '/library', name: 'library', Icon: BookOpen },
  { to: '/agent', name: 'agent', Icon: Bot },
] as const;

const automation = [
  { to: '/schedules', name: 'schedules', Icon: CalendarClock },
  { to: '/triggers', name: 'triggers', Icon: Zap },
  { to: '/recipes', name: 'recipes', Icon: CookingPot },
] as const;

const knowledge = [
  { to: '/connectors', name: 'connectors', Icon: Plug },
  { to: '/skills', name: 'skills', Icon: Sparkles },
  { to: '/memory', name: 'memory', Icon: NotebookText },
] as const;

const management = [
  { to: '/usage', name: 'usage', Icon: ChartNoAxesColumn },
  { to: '/developers', name: 'developers', Icon: CodeXml },
] as const;

const instancePage = { to: '/instance', name: 'instance', Icon: Server } as const;

export type SidebarPage = (typeof daily | typeof automation | typeof knowledge | typeof management)[number] | typeof instancePage;

/** Pages that belong together, below a heading that folds them. */
export interface SidebarGroup {
  name: 'automation' | 'knowledge' | 'management';
  pages: readonly SidebarPage[];
}

/** The pages of the sidebar, in order: those for every day, and the groups; that of the instance only for its owners. */
export function useSidebarPages(): { daily: readonly SidebarPage[]; groups: readonly SidebarGroup[] } {
  const isOwner = useSession().data?.instance.is_owner === true;
  const groups = [
    { name: 'automation', pages: automation },
    { name: 'knowledge', pages: knowledge },
    { name: 'management', pages: isOwner ? [...management, instancePage] : management },
  ] as const;
  return { daily, groups };
}
