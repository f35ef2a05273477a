import { isJsonObject } from '@errand/base/json-object.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Uploads } from '../../api/files/uploads.ts';
import type { LegacyOperation } from '../../legacy/legacy-operation.ts';
import type { Authenticate } from '../authentication/authenticate.ts';
import { storedFile } from '../../legacy/legacy-file-content.ts';
import { downloadHeaders } from '../../rules/files/content-safety.ts';
import type { Blobs } from '../../store/blobs/blobs.ts';
import { answerHeaders } from '../server/envelope.ts';
import { readIdempotencyKey } from '../operations/idempotency-key.ts';
import { acceptForms, answerForm, bringsForm } from './legacy-forms.ts';
import { parseJsonBody } from '../server/json-body.ts';
import { parseQuery } from '../server/query-string.ts';
import { isStrictRequest, preferenceHeaders } from '../operations/preferences.ts';
import { CallerPresence } from '../operations/caller-presence.ts';
import { createContext } from '../operations/request-context.ts';
import { serveFile } from '../content/content-files.ts';
import { admit, callerOf, type RawQuery, type RouteParts } from '../operations/operation-routes.ts';

/** The query, in which one parameter may be repeated. */
function readQuery({ repeatable }: LegacyOperation, text: string): Record<string, unknown> {
  if (repeatable === undefined) return parseQuery(text);
  const isRepeated = (pair: string) => pair.startsWith(`${repeatable}=`);
  const pairs = text.split('&');
  const values = pairs.filter(isRepeated).flatMap((pair) => parseQuery(pair)[repeatable] ?? []);
  return {
    ...parseQuery(pairs.filter((pair) => !isRepeated(pair)).join('&')),
    ...(values.length > 0 && { [repeatable]: values }),
  };
}

/** The schema handles a body that is not an object; parameters of the path win over fields of the same name. */
function inputOf(operation: LegacyOperation, request: FastifyRequest): unknown {
  const { method } = operation;
  const params = request.params as Record<string, string>;
  if (method === 'GET' || method === 'DELETE') return { ...readQuery(operation, (request.query as RawQuery).text), ...params };
  const body = parseJsonBody(request.body as Buffer | undefined);
  return isJsonObject(body) ? { ...body, ...params } : body;
}

async function answer(
  operation: LegacyOperation,
  parts: RouteParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string | undefined> {
  const caller = callerOf(request);
  const now = parts.clock.now();
  const { accountId } = caller.principal;
  const body = request.body as Buffer | undefined;
  const key = readIdempotencyKey(operation, { headers: request.headers, body, accountId, now });
  const context = createContext(parts, caller, now, key, new CallerPresence(reply.raw, isStrictRequest(request.headers)));
  const data = await operation.answer(inputOf(operation, request), context);
  void reply.headers(preferenceHeaders(context)).header('x-request-id', request.id);
  if (context.isReplay) void reply.header('idempotent-replayed', 'true');
  if (data !== null) {
    void reply.headers(answerHeaders);
    return JSON.stringify(data);
  }
  void reply.code(204);
  return undefined;
}

export interface LegacyParts extends RouteParts {
  authenticateEither: Authenticate;
  authenticateNobody: Authenticate;
  uploads: Uploads;
  blobs: Blobs;
}

/** The bytes of a file, for operations that return them. */
async function answerFile(
  operation: LegacyOperation,
  parts: LegacyParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const caller = callerOf(request);
  const context = createContext(
    parts,
    caller,
    parts.clock.now(),
    null,
    new CallerPresence(reply.raw, isStrictRequest(request.headers)),
  );
  const found = storedFile.parse(await operation.answer(inputOf(operation, request), context));
  const { filename, contentType, ...stored } = found;
  const file = { accountId: caller.principal.accountId, ...stored, headers: downloadHeaders(filename, contentType) };
  return serveFile(parts.blobs, file, request, reply);
}

/** Creates the routes of v1 from its operation table. */
export function mountLegacy(server: FastifyInstance, operations: readonly LegacyOperation[], parts: LegacyParts): void {
  mountEach(
    server,
    operations.filter(({ takesForm }) => !takesForm),
    parts,
  );
  void server.register((scope, _options, done) => {
    acceptForms(scope);
    mountEach(
      scope,
      operations.filter(({ takesForm }) => takesForm),
      parts,
    );
    done();
  });
}

function chooseAuthenticate({ access, takesAnyCredential }: LegacyOperation, parts: LegacyParts): Authenticate {
  if (access === 'visitor') return parts.authenticateNobody;
  return takesAnyCredential ? parts.authenticateEither : parts.authenticate;
}

function mountEach(server: FastifyInstance, operations: readonly LegacyOperation[], parts: LegacyParts): void {
  for (const operation of operations) {
    const { method, takesForm, givesFile, bodyLimitBytes } = operation;
    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      if (givesFile) return answerFile(operation, parts, request, reply);
      if (takesForm && bringsForm(request)) return answerForm(parts, parts.uploads, request, reply);
      return answer(operation, parts, request, reply);
    };
    server.route({
      // The size of a file is known without reading it.
      method: givesFile ? ['GET', 'HEAD'] : method,
      url: operation.path,
      exposeHeadRoute: method === 'GET' && !givesFile,
      onRequest: admit({ ...operation, kind: 'reply' }, { ...parts, authenticate: chooseAuthenticate(operation, parts) }),
      ...(bodyLimitBytes && { bodyLimit: bodyLimitBytes }),
      handler,
    });
  }
}
