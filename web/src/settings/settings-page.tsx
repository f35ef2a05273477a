import { useLocation } from '@tanstack/react-router';
import { BrandEditor } from '../brands/brand-editor.tsx';
import { useText } from '../text/locale.ts';
import { LinkTabs } from '../ui/display/link-tabs.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { AccountSettings } from './account-settings.tsx';
import { Chats } from './chats.tsx';
import { ModelKeys } from './models/model-keys.tsx';
import { Notifications } from './notifications/notifications.tsx';
import { Policies } from './policies/policies.tsx';
import { Connections } from './connections.tsx';
import { SecuritySettings } from './security-settings.tsx';

const parts: Record<string, () => React.ReactNode> = {
  '/settings/connections': Connections,
  '/settings/chats': Chats,
  '/settings/notifications': Notifications,
  '/settings/model-keys': ModelKeys,
  '/settings/approvals': Policies,
  '/settings/brand': () => <BrandEditor place={{ scope: 'account' }} />,
  '/settings/sessions': SecuritySettings,
};

/** The user's own settings. */
export function SettingsPage() {
  const { settings, notifications, policies, brands, modelKeys } = useText();
  const { pathname } = useLocation();
  const Part = parts[pathname] ?? AccountSettings;
  const tabs = [
    { to: '/settings', label: settings.account, isExact: true },
    { to: '/settings/connections', label: settings.connections },
    { to: '/settings/chats', label: settings.chats },
    { to: '/settings/notifications', label: notifications.title },
    { to: '/settings/model-keys', label: modelKeys.title },
    { to: '/settings/approvals', label: policies.title },
    { to: '/settings/brand', label: brands.title },
    { to: '/settings/sessions', label: settings.security },
  ] as const;
  return (
    <Page>
      <PageHeader title={settings.title} />
      <LinkTabs label={settings.title} tabs={tabs} />
      <Part />
    </Page>
  );
}
