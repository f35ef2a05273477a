import { useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useText } from '../text/locale.ts';
import { LinkTabs } from '../ui/display/link-tabs.tsx';
import { Page, PageHeader, usePageTitle } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { ApiKeys } from './api-keys.tsx';
import { AppPage } from './app-page.tsx';
import { Apps } from './apps.tsx';
import { Overview } from './overview.tsx';
import { Requests } from './requests/requests.tsx';
import { WebhookPage } from './webhook-page.tsx';
import { Webhooks } from './webhooks.tsx';

const Reference = lazy(async () => ({ default: (await import('./reference/reference.tsx')).Reference }));

const referencePath = '/developers/reference';

/** The tab that the URL names. */
function Part() {
  const { pathname } = useLocation();
  const { clientId, webhookId, operation } = useParams({ strict: false });
  if (clientId !== undefined) return <AppPage clientId={clientId} />;
  if (webhookId !== undefined) return <WebhookPage webhookId={webhookId} />;
  if (pathname.startsWith('/developers/keys')) return <ApiKeys />;
  if (pathname.startsWith('/developers/apps')) return <Apps />;
  if (pathname.startsWith('/developers/webhooks')) return <Webhooks />;
  if (pathname.startsWith('/developers/requests')) return <Requests />;
  if (pathname.startsWith(referencePath)) return <Reference operationId={operation} />;
  return <Overview />;
}

/** The page for developers: keys, apps, webhooks, requests, and the reference. */
export function DevelopersPage() {
  const { developers: text } = useText();
  const { pathname } = useLocation();
  const { operation } = useParams({ strict: false });
  usePageTitle(operation ?? text.title);
  const tabs = [
    { to: '/developers', label: text.overview, isExact: true },
    { to: referencePath, label: text.reference },
    { to: '/developers/keys', label: text.keys },
    { to: '/developers/apps', label: text.apps },
    { to: '/developers/webhooks', label: text.webhooks },
    { to: '/developers/requests', label: text.requests.title },
  ] as const;
  return (
    <Page isWide={pathname.startsWith(referencePath)}>
      <PageHeader title={text.title} />
      <LinkTabs label={text.title} tabs={tabs} />
      <Suspense fallback={<SkeletonList />}>
        <Part />
      </Suspense>
    </Page>
  );
}
