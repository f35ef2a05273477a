import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { findKeyOwner } from '../../store/accounts/api-keys.ts';
import type { Database } from '../../store/db/database.ts';
import { proveWrite } from '../../store/instance/instance-values.ts';
import { answerHeaders, renderSuccess } from '../server/envelope.ts';
import { commit, version } from '@errand/base/program-version.ts';

/** How long the database and the disk may take to respond. */
const timeoutMs = 2000;

/** A proof holds for so long: anybody may ask, and each proof is a write. */
const provenMs = 1000;

export interface ProbeParts {
  database: Database;
  clock: Clock;
  activeModels(): Record<string, string>;
  proveFiles?(): Promise<void>;
  isReady(): boolean;
}

function send(request: FastifyRequest, reply: FastifyReply, data: Record<string, unknown>): string {
  void reply.headers(answerHeaders).header('x-request-id', request.id);
  return renderSuccess(request.id, data);
}

/** Proves that the database can be read and written, and that files can be stored; one check at a time, however many callers. */
function createStorageCheck({ database, clock, proveFiles }: ProbeParts): () => Promise<void> {
  let check: Promise<void> | null = null;
  let provenUntilMs = 0;
  let filesProof: Promise<void> | null = null;
  // A disk that hangs holds one thread of the pool, not one for each check.
  const proveFilesOnce = () => (filesProof ??= (proveFiles?.() ?? Promise.resolve()).finally(() => (filesProof = null)));
  const look = async () => {
    const { promise: tooLate, reject } = Promise.withResolvers<never>();
    let problem = 'The database does not respond.';
    const timer = clock.setTimer(() => reject(new Fault('unavailable', problem, { retryAfterS: 1 })), timeoutMs);
    const prove = async () => {
      await database.run(findKeyOwner, '');
      problem = 'The database accepts no writes.';
      await database.run(proveWrite, clock.now());
      problem = 'The data folder does not respond.';
      await proveFilesOnce();
      provenUntilMs = clock.monotonic() + provenMs;
    };
    try {
      await Promise.race([prove(), tooLate]);
    } finally {
      timer.cancel();
      check = null;
    }
  };
  return () => (clock.monotonic() < provenUntilMs ? Promise.resolve() : (check ??= look()));
}

/** Whether the process is alive, and whether it is ready. */
export function mountProbes(server: FastifyInstance, parts: ProbeParts): void {
  const checkStorage = createStorageCheck(parts);
  const page = (url: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<string>) =>
    server.route({ method: 'GET', url, exposeHeadRoute: true, handler });
  page('/healthz', async (request, reply) => send(request, reply, { version, commit, models: parts.activeModels() }));
  page('/readyz', async (request, reply) => {
    if (!parts.isReady()) throw new Fault('unavailable', 'The service is starting or stopping.', { retryAfterS: 1 });
    await checkStorage();
    return send(request, reply, {});
  });
}
