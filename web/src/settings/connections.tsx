import { useQuery } from '@tanstack/react-query';
import { Unplug } from 'lucide-react';
import { keys } from '../api/query-keys.ts';
import { connectionsQuery } from '../api/settings-queries.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { ExternalLink, linkClasses } from '../ui/display/link.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { Time } from '../ui/display/time.tsx';
import { useRemoval } from '../ui/dialogs/use-removal.ts';

type Connection = WebResponse<'connection.list'>['data'][number];

/** One connected app and its permissions. */
function ConnectionCard({ connection, onDisconnect }: { connection: Connection; onDisconnect(): void }) {
  const { settings } = useText();
  const { client_id: clientId, name, homepage, type, scopes } = connection;
  const powers = type === 'team' ? scopes.map((scope) => settings.scopes[scope]) : [settings.everything];
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="font-semibold wrap-anywhere">
            {name}{' '}
            {homepage !== null && (
              <ExternalLink href={homepage} className="text-sm font-normal">
                {new URL(homepage).host}
              </ExternalLink>
            )}
          </h2>
          <p className="text-sm text-soft">
            {settings.connectedSince} <Time ms={connection.connected_at * 1000} />
          </p>
        </div>
        <Button size="small" look="danger" onClick={onDisconnect} aria-label={`${settings.disconnect}: ${name}`}>
          {settings.disconnect}
        </Button>
      </div>
      <p className="mt-3 text-sm text-soft">{settings.mayDo}</p>
      <ul className="mt-1 list-disc pl-5 text-sm">
        {powers.map((power) => (
          <li key={power}>{power}</li>
        ))}
      </ul>
      {type === 'team' && scopes.includes('use_connectors') && (
        <p className="mt-3 text-sm">
          <a className={linkClasses} href={`/oauth-apps/connector-consent?client_id=${encodeURIComponent(clientId)}`}>
            {settings.chooseConnectors}
          </a>
        </p>
      )}
    </Card>
  );
}

/** Apps that have access to the account. */
export function Connections() {
  const { settings } = useText();
  const connections = useQuery(connectionsQuery);
  const disconnection = useRemoval(({ client_id }: Connection) => callWeb('connection.disconnect', { client_id }), {
    changes: [keys.connections],
    describeDone: ({ name }) => settings.disconnected(name),
  });
  if (connections.error) return <ErrorState error={connections.error} onRetry={connections.refetch} />;
  if (connections.isPending) return <SkeletonList className="h-32" rows={2} />;
  return (
    <>
      <p className="mb-4 text-soft">{settings.connectionsLead}</p>
      {connections.data.length === 0 && (
        <EmptyState icon={<Unplug aria-hidden />} title={settings.noConnections}>
          {settings.noConnectionsBody}
        </EmptyState>
      )}
      <div className="flex flex-col gap-4">
        {connections.data.map((connection) => (
          <ConnectionCard key={connection.client_id} connection={connection} onDisconnect={() => disconnection.ask(connection)} />
        ))}
      </div>
      <RemovalDialog
        removal={disconnection}
        titleOf={({ name }) => settings.disconnectTitle(name)}
        confirmLabel={settings.disconnect}
      >
        {settings.disconnectBody}
      </RemovalDialog>
    </>
  );
}
