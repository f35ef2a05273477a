import { createMutex, type Service } from '@errand/base/service-lifecycle.ts';
import type { Metrics } from '@errand/base/metrics.ts';
import { mountProbes } from '../instance/health-probes.ts';
import { mountMetrics } from '../instance/metrics-page.ts';
import type { HttpParts } from '../server/http-parts.ts';
import { buildHttpServer, type HttpServer } from '../server/http-server.ts';
import { Listener } from '../server/listen-addresses.ts';

export interface MonitoringParts extends Pick<HttpParts, 'database' | 'clock' | 'log' | 'gauge' | 'activeModels' | 'proveFiles'> {
  metrics: Metrics;
  host: string;
  /** 0 picks a free one. */
  port: number;
}

/** What a process without a public server answers: its metrics, whether it is alive, and whether it is ready. */
export interface MonitoringServer extends Service {
  /** The URL of the server with its actual port; known after `start`. */
  url(): string;
}

export function buildMonitoringServer(parts: MonitoringParts): MonitoringServer {
  const { host, port, ...shared } = parts;
  const listener = new Listener({ host, port, publicUrl: null, setting: 'ERRAND_MONITORING_PORT', isShared: false });
  const takeTurn = createMutex();
  let server: HttpServer | null = null;
  const open = async () => {
    if (server) return;
    // Scrapes are not counted among the requests of the API.
    const opened = buildHttpServer({ clock: parts.clock, log: parts.log, gauge: parts.gauge });
    mountMetrics(opened.app, shared);
    mountProbes(opened.app, { ...shared, isReady: () => server === opened });
    await listener.listen(opened.app);
    server = opened;
  };
  const close = async () => {
    const closing = server;
    server = null;
    if (!closing) return;
    const closed = closing.app.close();
    closing.app.server.closeAllConnections();
    await closed;
  };
  return {
    name: 'monitoring',
    start: () => takeTurn(open),
    stop: () => takeTurn(close),
    url: () => listener.url,
  };
}
