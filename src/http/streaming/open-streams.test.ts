import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import type { Principal } from '../../rules/accounts/access.ts';
import { maxAccountStreams, OpenStreams } from './open-streams.ts';

function ownerOf(accountId: string, kind: 'api_key' | 'visitor' = 'api_key'): Principal {
  return { accountId, via: { kind } } as Principal;
}

it('one account has its limit of open streams, which says so and takes none from another; closed ones are free again', () => {
  const streams = new OpenStreams();
  const open = (owner: Principal) => {
    const response = new EventEmitter();
    streams.admit(owner, response as ServerResponse);
    return response;
  };
  const [first] = Array.from({ length: maxAccountStreams }, () => open(ownerOf('a')));
  expect(() => open(ownerOf('a'))).toThrow(
    'At most 2000 streams of an account can be open at once. Close those that nobody reads',
  );
  open(ownerOf('b'));
  open(ownerOf('a', 'visitor'));
  first?.emit('close');
  open(ownerOf('a'));
  expect(() => open(ownerOf('a'))).toThrow('At most 2000 streams');
});
