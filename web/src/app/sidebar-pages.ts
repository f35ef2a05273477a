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

import { useSession } from '../api/session.ts';

const pages = [
  { to: '/', name: 'tasks', Icon: ListTodo },
  { to: '/inbox', name: 'inbox', Icon: Inbox },
  { to: '/library', name: 'library', Icon: BookOpen },
  { to: '/agent', name: 'agent', Icon: Bot },
  { to: '/schedules', name: 'schedules', Icon: CalendarClock },
  { to: '/triggers', name: 'triggers', Icon: Zap },
  { to: '/recipes', name: 'recipes', Icon: CookingPot },
  { to: '/projects', name: 'projects', Icon: FolderKanban },
  { to: '/connectors', name: 'connectors', Icon: Plug },
  { to: '/skills', name: 'skills', Icon: Sparkles },
  { to: '/memory', name: 'memory', Icon: NotebookText },
  { to: '/usage', name: 'usage', Icon: ChartNoAxesColumn },
  { to: '/developers', name: 'developers', Icon: CodeXml },
] as const;

const instancePage = { to: '/instance', name: 'instance', Icon: Server } as const;

/** The pages of the sidebar, in order; that of the instance only for its owners. */
export function useSidebarPages() {
  const isOwner = useSession().data?.instance.is_owner === true;
  return isOwner ? [...pages, instancePage] : pages;
}
