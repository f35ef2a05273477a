import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { Bell, BellOff, BookText, ChevronsUpDown, Coins, LogOut, Monitor, Moon, Settings, Sun, Users } from 'lucide-react';
import { creditsQuery } from '../../api/account-facts.ts';
import { callWeb } from '../../api/web-call.ts';
import { signOut, useSession } from '../../api/session.ts';
import { useFormat } from '../../text/format.ts';
import { languageNames, languageOf, setLocale, useLocale, useText } from '../../text/locale.ts';
import { Avatar } from '../../ui/display/avatar.tsx';
import { Menu, MenuChoice, MenuItem, MenuLink, MenuSeparator } from '../../ui/controls/menu.tsx';
import { setTheme, useTheme } from '../../ui/controls/theme.ts';
import { showError, showToast } from '../../ui/feedback/toast.tsx';
import { canNotify, setNotices, useNoticesOn } from '../finish-notices.ts';

const TeamChoice = lazy(async () => ({ default: (await import('../../team/team-choice.tsx')).TeamChoice }));

function ThemeChoice() {
  const { app } = useText();
  const options = [
    { value: 'system', label: app.themeSystem, icon: <Monitor aria-hidden /> },
    { value: 'light', label: app.themeLight, icon: <Sun aria-hidden /> },
    { value: 'dark', label: app.themeDark, icon: <Moon aria-hidden /> },
  ] as const;
  return <MenuChoice label={app.theme} value={useTheme()} options={options} onValueChange={setTheme} />;
}

/** Applied immediately; the account stores it for other browsers and for the language of new tasks. */
export async function chooseLanguage(tag: string): Promise<void> {
  await setLocale(tag);
  await callWeb('account.update', { locale: tag }).catch(showError);
}

function LanguageChoice() {
  const { app } = useText();
  const { tag } = useLocale();
  const options = languageNames.map((language) => ({ value: language.tag, label: language.name }));
  return (
    <MenuChoice
      label={app.language}
      value={languageOf(tag)}
      options={options}
      onValueChange={(chosen) => void chooseLanguage(chosen)}
    />
  );
}

/** Off until the user turns it on; then the browser asks for permission. */
function NoticeChoice() {
  const { app } = useText();
  const isOn = useNoticesOn();
  if (!canNotify) return null;
  const toggle = async () => {
    const isDone = await setNotices(!isOn);
    showToast(isDone ? (isOn ? app.noticesOff : app.noticesOn) : app.noticesRefused);
  };
  return (
    <MenuItem icon={isOn ? <BellOff aria-hidden /> : <Bell aria-hidden />} onSelect={() => void toggle().catch(showError)}>
      {isOn ? app.noticesStop : app.noticesStart}
    </MenuItem>
  );
}

function Credits() {
  const { ui } = useText();
  const format = useFormat();
  const credits = useQuery(creditsQuery);
  if (credits.data === undefined) return null;
  const { total_credits: total } = credits.data;
  return <>{ui.credits(total, format.credits(total))}</>;
}

/** The signed-in person, on the button of the menu. */
function Person({ isCollapsed }: { isCollapsed: boolean }) {
  const { app } = useText();
  const session = useSession().data;
  const email = session?.account.email ?? '';
  const hasCredits = session?.instance.has_credit_limit ?? false;
  return (
    <>
      <Avatar name={email} />
      {isCollapsed ? (
        <span className="sr-only">{app.account(email)}</span>
      ) : (
        <>
          <span className="min-w-0 flex-1">
            <span className="block min-h-[1lh] truncate">{email}</span>
            {hasCredits && (
              <span className="block min-h-[1lh] truncate text-xs text-soft">
                <Credits />
              </span>
            )}
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-soft" />
        </>
      )}
    </>
  );
}

/** The signed-in user, with credits, teams, settings, theme, language, and sign-out. */
export function AccountMenu({ isCollapsed }: { isCollapsed: boolean }) {
  const { app } = useText();
  const session = useSession().data;
  const trigger = (
    <button
      type="button"
      className="flex w-full min-w-0 items-center gap-2.5 rounded-md p-1.5 text-left text-sm hover:bg-hover data-[state=open]:bg-hover"
    >
      <Person isCollapsed={isCollapsed} />
    </button>
  );
  return (
    <Menu trigger={trigger} align="start" side="top">
      {session && session.teams.length > (session.team ? 1 : 0) && (
        <Suspense>
          <TeamChoice session={session} />
        </Suspense>
      )}
      <MenuLink>
        <Link to="/usage">
          <Coins aria-hidden />
          {app.usage}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/settings">
          <Settings aria-hidden />
          {app.settings}
        </Link>
      </MenuLink>
      <MenuLink>
        <Link to="/team">
          <Users aria-hidden />
          {app.team}
        </Link>
      </MenuLink>
      <MenuLink>
        <a href="/docs/">
          <BookText aria-hidden />
          {app.docs}
        </a>
      </MenuLink>
      <NoticeChoice />
      <MenuSeparator />
      <ThemeChoice />
      <MenuSeparator />
      <LanguageChoice />
      <MenuSeparator />
      <MenuItem icon={<LogOut aria-hidden />} onSelect={() => void signOut().catch(showError)}>
        {app.signOut}
      </MenuItem>
    </Menu>
  );
}
