import { adminOperations, operations } from '../../api/index.ts';
import { authenticateOperator } from '../authentication/authenticate.ts';
import { mountOperations, type RouteParts } from '../operations/operation-routes.ts';
import { isSocketPathShort, listenOnControlSocket, removeControlSocket } from '../server/control-socket.ts';
import type { HttpSettings } from '../server/http-parts.ts';
import { buildHttpServer, type HttpServerParts, type Server } from '../server/http-server.ts';

export interface ControlServerParts extends Omit<RouteParts, 'authenticate' | 'limiter'>, Pick<HttpServerParts, 'gauge'> {
  settings: Pick<HttpSettings, 'controlSocket'>;
}

/** An account can be large, and its operator waits while it is exported or imported. */
const timeouts = { handlerTimeout: 24 * 60 * 60 * 1000 };

/** The operator's server: on a unix socket, or in process without one. */
export interface ControlServer extends Server {
  /** Removes the socket. */
  close(): Promise<void>;
}

/** Builds the server without authentication, because only the user of this process can reach it. */
export function buildControlServer(parts: ControlServerParts): ControlServer {
  const { clock, log, gauge, database, settings } = parts;
  const path = settings.controlSocket;
  const server = buildHttpServer({ clock, log, gauge, timeouts });
  mountOperations(server.app, [...operations, ...adminOperations], {
    ...parts,
    // The operator has no rate limits.
    limiter: null,
    authenticate: authenticateOperator(database),
  });
  return {
    ...server,
    async listen() {
      if (path === null) return;
      if (isSocketPathShort(path)) await listenOnControlSocket(path, (made) => server.app.listen({ path: made }));
      else log.warn({ path }, 'no control socket: its path is too long; use a shorter data folder');
    },
    async close() {
      if (path !== null) await removeControlSocket(path);
    },
  };
}
