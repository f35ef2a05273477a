import { useLocation, useParams } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { LinkTabs } from '../ui/display/link-tabs.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AppPage } from './app-page.tsx';
import { Apps } from './apps.tsx';
import { Overview } from './overview.tsx';
import { Requests } from './requests/requests.tsx';
import { WebhookPage } from './webhook-page.tsx';
import { Webhooks } from './webhooks.tsx';

/** The tab that the URL names. */
function Part() {
  const { pathname } = useLocation();
  const { clientId, webhookId } = useParams({ strict: false });
  if (clientId !== undefined) return <AppPage clientId={clientId} />;
  if (webhookId !== undefined) return <WebhookPage webhookId={webhookId} />;
  if (pathname.startsWith('/developers/keys')) return <ApiKeys />;
  if (pathname.startsWith('/developers/apps')) return <Apps />;
  if (pathname.startsWith('/developers/webhooks')) return <Webhooks />;
  if (pathname.startsWith('/developers/requests')) return <Requests />;
  return <Overview />;
}

/** The page for developers: keys, apps, webhooks, requests, and the reference. */
export function DevelopersPage() {
  const { developers: text } = useText();
  const tabs = [
    { to: '/developers', label: text.overview, isExact: true },
    { to: '/developers/keys', label: text.keys },
    { to: '/developers/apps', label: text.apps },
    { to: '/developers/webhooks', label: text.webhooks },
    { to: '/developers/requests', label: text.requests.title },
  ] as const;
  return (
    <Page>
      <PageHeader title={text.title} />
      <LinkTabs label={text.title} tabs={tabs} />
      <Part />
    </Page>
  );
}
