import type { Connector } from '@errand/client';
import { useText } from '../text/locale.ts';
import { type KnownServer, knownServers } from './known-servers.ts';

interface KnownListProps {
  /** Servers that are connected are left out. */
  connected: readonly Connector[];
  onChoose(server: KnownServer): void;
}

/** Public MCP servers to choose from. */
export function KnownList({ connected, onChoose }: KnownListProps) {
  const { connectors } = useText();
  const urls = new Set(connected.map(({ url }) => url.replace(/\/$/, '')));
  const shown = knownServers.filter(({ url }) => !urls.has(url.replace(/\/$/, '')));
  if (shown.length === 0) return null;
  return (
    <section aria-labelledby="known-servers" className="mt-12">
      <h2 id="known-servers" className="font-medium">
        {connectors.knownTitle}
      </h2>
      <p className="mt-1 mb-4 max-w-prose text-sm text-soft">{connectors.knownLead}</p>
      <ul className="grid gap-3 sm:grid-cols-2">
        {shown.map((server) => (
          <li key={server.key}>
            <button
              type="button"
              onClick={() => onChoose(server)}
              className="flex h-full w-full flex-col items-start gap-1 rounded-lg border border-line bg-card px-4 py-3 text-left hover:border-accent"
            >
              <span className="flex w-full items-baseline justify-between gap-3">
                <span className="text-sm font-medium">{server.name}</span>
                <span className="text-xs text-soft">{connectors.knownAccess[server.access]}</span>
              </span>
              <span className="text-sm text-soft">{connectors.known[server.key]}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
