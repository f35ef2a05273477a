import type { Task } from '@errand/client';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { Keyboard, Languages, LogOut, Monitor, Moon, Search, Settings, SquarePen, Sun, Users } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { signOut } from '../api/session.ts';
import type { TaskMatch } from '../api/task-cache.ts';
import { MatchLine } from '../task-list/match-line.tsx';
import { nameRow } from '../task-list/row-name.ts';
import { useFoundTasks } from '../task-list/use-found-tasks.ts';
import { useTaskList } from '../task-list/use-task-list.ts';
import { languageNames, useText } from '../text/locale.ts';
import { PaletteFrame } from '../ui/dialogs/palette-frame.tsx';
import { TaskStatusDot } from '../ui/display/task-status.tsx';
import { setTheme } from '../ui/controls/theme.ts';
import { showError } from '../ui/feedback/toast.tsx';
import { chooseLanguage } from './sidebar/account-menu.tsx';
import { useSidebarPages } from './sidebar/sidebar-pages.ts';

interface Entry {
  key: string;
  label: string;
  /** What is compared with the words that are typed; the label if omitted. */
  keywords?: string[];
  /** Shown below the label: where words were found. */
  match?: TaskMatch;
  icon: ReactNode;
  run(): unknown;
}

function Entries({ title, entries, onDone }: { title: string; entries: readonly Entry[]; onDone(): void }) {
  const choose = (entry: Entry) => {
    onDone();
    entry.run();
  };
  return (
    <Command.Group
      heading={title}
      className="px-2 pb-2 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft"
    >
      {entries.map((entry) => (
        <Command.Item
          key={entry.key}
          value={entry.key}
          keywords={entry.keywords ?? [entry.label]}
          onSelect={() => choose(entry)}
          className="flex cursor-pointer items-center gap-3 rounded-md px-2 py-2 text-sm data-[selected=true]:bg-hover [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-soft"
        >
          {entry.icon}
          <span className="min-w-0">
            <span className="block truncate">{entry.label}</span>
            {entry.match && <MatchLine match={entry.match} />}
          </span>
        </Command.Item>
      ))}
    </Command.Group>
  );
}

function usePlaces(): Entry[] {
  const { app } = useText();
  const navigate = useNavigate();
  const { daily, groups } = useSidebarPages();
  const pages = [...daily, ...groups.flatMap((group) => group.pages)];
  return [
    { key: 'new', label: app.newTask, icon: <SquarePen aria-hidden />, run: () => navigate({ to: '/', hash: 'new' }) },
    ...pages.map(({ to, name, Icon }) => ({
      key: to,
      label: app[name],
      icon: <Icon aria-hidden />,
      run: () => navigate({ to }),
    })),
    { key: 'settings', label: app.settings, icon: <Settings aria-hidden />, run: () => navigate({ to: '/settings' }) },
    { key: 'team', label: app.team, icon: <Users aria-hidden />, run: () => navigate({ to: '/team' }) },
  ];
}

function useActions(onShowKeys: () => void): Entry[] {
  const { app } = useText();
  return [
    {
      key: 'theme-system',
      label: `${app.theme}: ${app.themeSystem}`,
      icon: <Monitor aria-hidden />,
      run: () => setTheme('system'),
    },
    { key: 'theme-light', label: `${app.theme}: ${app.themeLight}`, icon: <Sun aria-hidden />, run: () => setTheme('light') },
    { key: 'theme-dark', label: `${app.theme}: ${app.themeDark}`, icon: <Moon aria-hidden />, run: () => setTheme('dark') },
    ...languageNames.map(({ tag, name }) => ({
      key: `language-${tag}`,
      label: `${app.language}: ${name}`,
      icon: <Languages aria-hidden />,
      run: () => chooseLanguage(tag),
    })),
    { key: 'keys', label: app.keys.title, icon: <Keyboard aria-hidden />, run: onShowKeys },
    { key: 'sign-out', label: app.signOut, icon: <LogOut aria-hidden />, run: () => signOut().catch(showError) },
  ];
}

/** The loaded tasks, and those in which the words that are typed were found. */
function useTaskEntries(typed: string): Entry[] {
  const { app } = useText();
  const navigate = useNavigate();
  const { items } = useTaskList({});
  const found = useFoundTasks(typed);
  const describe = (task: Task) => ({
    key: task.id,
    label: task.title || app.untitled,
    icon: <TaskStatusDot task={task} />,
  });
  const go = (taskId: string, hash?: string) => navigate({ to: '/app/$taskId', params: { taskId }, ...(hash && { hash }) });
  const known = new Set(items.map(({ id }) => id));
  return [
    ...items.map((task) => ({ ...describe(task), run: () => go(task.id) })),
    ...found.flatMap((task): Entry[] => {
      const { match } = task;
      if (!match || (match.found_in === 'title' && known.has(task.id))) return [];
      const run = () => go(task.id, match.event_id && nameRow(match.event_id));
      // The service has compared them; what matches by its label comes first.
      return [{ ...describe(task), key: `found ${task.id}`, keywords: ['', typed], match, run }];
    }),
  ];
}

/** A letter sequence matches long titles too easily: every word has to occur. */
function rankEntry(_value: string, search: string, keywords: string[] = []): number {
  const label = keywords.join(' ').toLocaleLowerCase();
  const words = search.toLocaleLowerCase().trim().split(/\s+/);
  if (!words.every((word) => label.includes(word))) return 0;
  return label.startsWith(words[0] ?? '') ? 1 : 0.5;
}

/** The command palette: goes to any page or task and runs menu commands. */
export function Palette({ onClose, onShowKeys }: { onClose(): void; onShowKeys(): void }) {
  const { app } = useText();
  const [typed, setTyped] = useState('');
  return (
    <PaletteFrame title={app.palette} onClose={onClose}>
      <Command label={app.palette} filter={rankEntry} className="flex min-h-0 flex-col">
        <div className="flex items-center gap-3 border-b border-line px-4">
          <Search aria-hidden className="size-4 text-soft" />
          <Command.Input
            value={typed}
            onValueChange={setTyped}
            placeholder={app.paletteHint}
            className="min-h-12 flex-1 bg-transparent text-base outline-none"
          />
        </div>
        <Command.List className="min-h-0 flex-1 overflow-y-auto pt-2">
          <Command.Empty className="px-4 py-6 text-center text-sm text-soft">{app.nothingFound}</Command.Empty>
          <Entries title={app.goTo} entries={usePlaces()} onDone={onClose} />
          <Entries title={app.tasks} entries={useTaskEntries(typed)} onDone={onClose} />
          <Entries title={app.actions} entries={useActions(onShowKeys)} onDone={onClose} />
        </Command.List>
      </Command>
    </PaletteFrame>
  );
}
