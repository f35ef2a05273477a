import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Fault } from '@errand/base/fault.ts';
import { FairGate } from '@errand/base/load/fair-gate.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { receiveDelivery, recordRefusal } from '../../api/triggers/receive-delivery.ts';
import { triggerPath } from '../../api/triggers/trigger-object.ts';
import { type FoundTrigger, findTrigger } from '../../store/triggers/triggers.ts';
import { enterWithBody } from '../operations/body-memory.ts';
import { CallerPresence } from '../operations/caller-presence.ts';
import { answerHeaders, renderSuccess } from '../server/envelope.ts';
import { faultOf } from '../server/fault-of.ts';
import { countDelivery, type DeliveryParts, openPorts } from './delivery-ports.ts';

/** The limit of all operations that take no files. */
const bodyLimit = 1024 * 1024;

/** Bodies up to this size are parsed, and proven to be their sender's, in a fraction of a millisecond. */
const smallBytes = 64 * 1024;
/**
 * Larger bodies that are checked and parsed at once, in bytes, half of them for one account: each keeps the event loop for milliseconds, and
 * whoever knows a URL may send as many as the rate limits allow. One that is still on its way has no place, or who sends slowly would keep
 * the others out.
 */
const bytesAtOnce = 4 * bodyLimit;

/**
 * How long the place of a large body stays taken after its sender turned out to be another. Reading and checking it has cost milliseconds:
 * so forgeries take a small part of the event loop, however fast they come. Large bodies of the same account wait as long.
 */
const forgedMs = 100;

/** The answer of a path that does not exist, so that callers cannot find out which triggers do. */
function nothingThere(): Fault {
  return new Fault('not_found', 'Nothing exists at this URL.');
}

/** The URLs of triggers, whose requests prove their sender in their own ways. */
export function mountTriggers(server: FastifyInstance, parts: DeliveryParts): void {
  const { database, clock } = parts;
  const large = { memory: new FairGate({ capacity: bytesAtOnce }), clock };
  const found = new WeakMap<FastifyRequest, FoundTrigger>();
  const find = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    const trigger = await database.run(findTrigger, { type: 'http', tokenDigest: digestSecret(token) });
    if (!trigger) throw nothingThere();
    found.set(request, trigger);
    await countDelivery(parts, trigger);
  };
  const receive = async (trigger: FoundTrigger, { headers, body: sent }: FastifyRequest, reply: FastifyReply) => {
    const body = Buffer.isBuffer(sent) ? sent : Buffer.alloc(0);
    const ports = openPorts(parts, trigger, new CallerPresence(reply.raw));
    if (body.length <= smallBytes) return receiveDelivery(trigger, { headers, body }, ports);
    const leave = await enterWithBody(large, trigger.accountId, body.length, reply);
    let heldMs = 0;
    try {
      return await receiveDelivery(trigger, { headers, body }, ports);
    } catch (error) {
      if (faultOf(error).code === 'unauthenticated') heldMs = forgedMs;
      throw error;
    } finally {
      if (heldMs === 0) leave();
      else clock.setTimer(leave, heldMs);
    }
  };
  const refuseLong = async (request: FastifyRequest, reply: FastifyReply, error: Error) => {
    const trigger = found.get(request);
    const fault = faultOf(error);
    if (!trigger || fault.code !== 'payload_too_large') return;
    await recordRefusal(trigger, request.headers, fault.message, openPorts(parts, trigger, new CallerPresence(reply.raw)));
  };
  void server.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, parsed) => parsed(null, body));
    scope.route({
      method: 'POST',
      url: `${triggerPath}:token`,
      bodyLimit,
      // Before a byte of the body is read.
      onRequest: find,
      onError: refuseLong,
      handler: async (request, reply) => {
        const trigger = found.get(request);
        if (!trigger) throw nothingThere();
        const answer = await receive(trigger, request, reply);
        void reply.code(answer.status).headers(answerHeaders).header('x-request-id', request.id);
        return renderSuccess(request.id, answer.body);
      },
    });
    done();
  });
}
