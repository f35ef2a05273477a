import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { Plug } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { connectorsQuery } from '../api/account-facts.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { ConnectorCard } from './connector-card.tsx';
import { KnownList } from './known-list.tsx';
import { type ConnectorFacts, emptyFacts, factsOf, NewConnector } from './new-connector.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';

const NewApi = lazy(async () => ({ default: (await import('./apis/new-api.tsx')).NewApi }));

/** The MCP servers and HTTP APIs that tasks may use. */
export function ConnectorsPage() {
  const { connectors } = useText();
  const address: Record<string, unknown> = useSearch({ strict: false });
  const list = useQuery(connectorsQuery);
  const { data } = list;
  const [isNewApi, setNewApi] = useState(false);
  const [start, setStart] = useState<ConnectorFacts | null>(null);
  return (
    <Page>
      <PageHeader
        title={connectors.title}
        lead={connectors.lead}
        actions={
          <>
            <Button onClick={() => setNewApi(true)}>{connectors.apis.new}</Button>
            <NewConnector start={start} onOpen={() => setStart(emptyFacts)} onClose={() => setStart(null)} />
          </>
        }
      />
      {isNewApi && (
        <Suspense fallback={null}>
          <NewApi onClose={() => setNewApi(false)} />
        </Suspense>
      )}
      {address['signed_in'] === true && (
        <p role="status" className="mb-4 rounded-md bg-accent-soft px-4 py-2.5 text-sm text-accent">
          {connectors.signedIn}
        </p>
      )}
      <ListState list={list} className="h-28">
        <EmptyState icon={<Plug aria-hidden />} title={connectors.emptyTitle}>
          {connectors.emptyBody}
        </EmptyState>
      </ListState>
      <div className="flex flex-col gap-3">
        {data?.map((connector) => (
          <ConnectorCard key={connector.id} connector={connector} />
        ))}
      </div>
      {data && <KnownList connected={data} onChoose={(server) => setStart(factsOf(server, connectors.known[server.key]))} />}
    </Page>
  );
}
