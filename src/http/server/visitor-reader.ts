import type { IncomingMessage } from 'node:http';
import { createVisitorFinder } from '@errand/base/net/client-address.ts';

/** @param trusted CIDR blocks of proxies whose `X-Forwarded-For` is believed */
export function createVisitorReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  const find = createVisitorFinder(trusted);
  return ({ socket, headers }) => {
    const forwarded = headers['x-forwarded-for'];
    const forwardedFor = Array.isArray(forwarded) ? forwarded.join(',') : forwarded;
    return find({ remoteAddress: socket.remoteAddress ?? '', forwardedFor });
  };
}
