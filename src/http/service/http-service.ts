import type { Service } from '@errand/base/service-lifecycle.ts';
import type { TriggerAccess } from '../../api/triggers/delivery-ends.ts';
import { countDelivery, openPorts } from '../triggers/delivery-ports.ts';
import { openServerGroup, type ServerGroup } from './server-group.ts';
import type { HttpParts } from '../server/http-parts.ts';
import {
  injectOperator,
  injectOperatorStream,
  type OperatorRequest,
  type OperatorResponse,
  type OperatorStream,
} from './operator-requests.ts';

export type { HttpParts, HttpSettings, TokenOwner } from '../server/http-parts.ts';
export { OwnRateLimiter, type RateLimiter, SharedRateLimiter } from '../rate-limits/rate-limiter.ts';
export { buildMonitoringServer, type MonitoringServer } from './monitoring-server.ts';
export type { OperatorRequest, OperatorResponse, OperatorStream } from './operator-requests.ts';

/** The service over HTTP: the public server on a port, the control server on a unix socket and in process. */
export interface HttpService extends Service {
  /** The service's address, with the actual port; after `start`. */
  url(): string;
  /** Public URL of the content origin; after `start`. */
  contentUrl(): string;
  /** Calls the control server in process. Works without `start`. */
  inject(request: OperatorRequest): Promise<OperatorResponse>;
  injectStream(request: OperatorRequest): Promise<OperatorStream>;
  /**
   * Counts a task that a schedule of the account starts against its rate limit; returns after how many milliseconds it can start, 0 if it
   * can now. Works without `start`.
   */
  admitStart(accountId: string): Promise<number>;
  /** Works without `start`. */
  triggers: TriggerAccess;
}

export function buildHttp(parts: HttpParts): HttpService {
  let servers: ServerGroup | null = null;
  let turn: Promise<void> = Promise.resolve();
  /** Serializes starts and stops. */
  const inTurn = (act: () => Promise<void>): Promise<void> => {
    const done = turn.then(act);
    turn = done.catch(() => undefined);
    return done;
  };
  const open = (): ServerGroup => (servers ??= openServerGroup(parts));
  const close = async () => {
    const closing = servers;
    servers = null;
    await closing?.close();
  };
  return {
    name: 'http',
    start: () =>
      inTurn(async () => {
        try {
          await open().listen();
        } catch (error) {
          await close();
          throw error;
        }
      }),
    stop: () => inTurn(close),
    url: () => open().url(),
    contentUrl: () => open().contentUrl(),
    inject: (request) => injectOperator(open().control, request),
    injectStream: (request) => injectOperatorStream(open().control, request),
    async admitStart(accountId) {
      const verdict = await parts.limiter?.take(accountId, 'create');
      return !verdict || verdict.isAdmitted ? 0 : Math.max(1, verdict.resetS) * 1000;
    },
    triggers: {
      count: (trigger) => countDelivery(open().deliveries, trigger),
      open: (trigger, signal) => openPorts(open().deliveries, trigger, { signal }),
    },
  };
}
