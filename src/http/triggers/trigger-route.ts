import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '@errand/base/clock.ts';
import { Fault } from '@errand/base/fault.ts';
import { digestSecret } from '@errand/base/secrets/secret-digest.ts';
import { type DeliveryPorts, receiveDelivery, recordRefusal } from '../../api/triggers/receive-delivery.ts';
import { triggerPath } from '../../api/triggers/trigger-object.ts';
import type { RateVerdict } from '../../rules/instance/rate-window.ts';
import { type FoundTrigger, findTrigger } from '../../store/triggers/triggers.ts';
import { CallerPresence } from '../operations/caller-presence.ts';
import { type ContextParts, createContext } from '../operations/request-context.ts';
import type { RateLimiter } from '../rate-limits/rate-limiter.ts';
import { answerHeaders, renderSuccess } from '../server/envelope.ts';
import { faultOf } from '../server/fault-of.ts';

export interface TriggerRouteParts extends ContextParts {
  clock: Clock;
  limiter: RateLimiter | null;
}

/** As for operations without files. */
const bodyLimit = 1024 * 1024;

/** The same as for a path that nothing answers. */
function nothingThere(): Fault {
  return new Fault('not_found', 'Nothing exists at this URL.');
}

function checkRate({ isAdmitted, resetS }: RateVerdict): void {
  if (isAdmitted) return;
  throw new Fault('resource_exhausted', 'This trigger is sent too much; try again later.', { retryAfterS: resetS });
}

/** Acts for the account of the trigger. */
function openPorts(parts: TriggerRouteParts, trigger: FoundTrigger, reply: FastifyReply): DeliveryPorts {
  const { database, limiter, clock } = parts;
  const { accountId, plan, accountLocale: locale, request } = trigger;
  const principal = { accountId, plan, locale, via: { kind: 'operator' as const } };
  const caller = { principal, family: request.family, isStillValid: () => Promise.resolve(true) };
  return {
    context: createContext(parts, caller, clock.now(), null, new CallerPresence(reply.raw)),
    run: (operation, args) => database.run(operation, args),
    async countStart() {
      if (limiter) checkRate(await limiter.take(accountId, 'create'));
    },
  };
}

/** The URLs of triggers, whose requests prove their sender in their own ways. */
export function mountTriggers(server: FastifyInstance, parts: TriggerRouteParts): void {
  const { database, limiter } = parts;
  const found = new WeakMap<FastifyRequest, FoundTrigger>();
  const find = async (request: FastifyRequest) => {
    const { token } = request.params as { token: string };
    const trigger = await database.run(findTrigger, digestSecret(token));
    if (!trigger) throw nothingThere();
    found.set(request, trigger);
    if (limiter) checkRate(await limiter.take(trigger.id, 'trigger'));
  };
  const refuseLong = async (request: FastifyRequest, reply: FastifyReply, error: Error) => {
    const trigger = found.get(request);
    const fault = faultOf(error);
    if (!trigger || fault.code !== 'payload_too_large') return;
    await recordRefusal(trigger, request.headers, fault.message, openPorts(parts, trigger, reply));
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
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const ports = openPorts(parts, trigger, reply);
        const answer = await receiveDelivery(trigger, { headers: request.headers, body }, ports);
        void reply.code(answer.status).headers(answerHeaders).header('x-request-id', request.id);
        return renderSuccess(request.id, answer.body);
      },
    });
    done();
  });
}
