import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Uploads } from '../../api/files/uploads.ts';
import { invalidField } from '@errand/base/fault.ts';
import { presentSentFile, receiveFile } from '../../legacy/legacy-files.ts';
import { answerHeaders } from '../server/envelope.ts';
import { formType, readForm } from '../server/form-file.ts';
import { CallerPresence } from '../operations/caller-presence.ts';
import { createContext } from '../operations/request-context.ts';
import { callerOf, type RouteParts } from '../operations/operation-routes.ts';

/** Allows multipart forms, which are streamed, in the routes of a scope. */
export function acceptForms(scope: FastifyInstance): void {
  scope.addContentTypeParser(formType, (_request, _payload, done) => done(null));
}

/** Whether a request contains a form; the server has already checked the type. */
export function bringsForm({ headers }: FastifyRequest): boolean {
  return headers['content-type']?.toLowerCase().startsWith(formType) ?? false;
}

/** `files.create` of the OpenAI SDK: the file in a form instead of a PUT to a separate URL. */
export async function answerForm(
  parts: RouteParts,
  uploads: Uploads,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  // Forms are only equal if all of their bytes are, and those are not stored.
  if (request.headers['idempotency-key'] !== undefined) throw invalidField('Idempotency-Key', 'cannot be used with a form');
  reply.raw.awaitsOthers = true;
  const begin = () => createContext(parts, callerOf(request), parts.clock.now(), null, new CallerPresence(reply.raw));
  const { fields, answer } = await readForm(request.raw, (file) => receiveFile(file, begin, uploads));
  void reply.headers(answerHeaders).header('x-request-id', request.id);
  return JSON.stringify(presentSentFile(answer, fields.get('purpose')));
}
