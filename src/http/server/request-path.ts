import type { FastifyRequest } from 'fastify';

/** The path of the route that answers, however a request spells it; of what no route answers, the path as it was sent. */
export function pathOf({ url, routeOptions }: FastifyRequest): string {
  return routeOptions.url ?? url.split('?', 1)[0] ?? '';
}
