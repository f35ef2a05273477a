import { CommandFault } from '../exit-code.ts';
import type { Shell } from '../shell.ts';
import type { Credential } from './credential.ts';
import { OauthClient, OauthRefusal } from './oauth-client.ts';
import { type SignIn, SignInFile } from './sign-in-file.ts';

/** A token is exchanged this long before it expires, so that it does not expire on its way. */
const marginMs = 60_000;

function headersOf({ access_token: token }: SignIn): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/**
 * The sign-in at an instance as a credential, or null if there is none. One command at a time exchanges tokens that are about
 * to expire; the others take the new ones.
 */
export function useSignIn(shell: Pick<Shell, 'config' | 'clock'>, url: string): Credential | null {
  if (shell.config.userFolder === null) return null;
  const file = new SignInFile(shell, url);
  let current = file.read();
  if (!current) return null;
  const calls = new OauthClient(url, shell.clock);
  const ended = () =>
    new CommandFault(`the sign-in at ${url} has ended: run errand login --url ${url}`, { code: 'unauthenticated' });

  /** @param spent the access token that no longer works */
  const exchange = async (spent: string): Promise<SignIn> =>
    file.locked(async () => {
      const stored = file.read();
      if (!stored) throw ended();
      if (stored.access_token !== spent) return stored;
      try {
        const fresh = await calls.refresh(stored.refresh_token);
        file.write(fresh);
        return fresh;
      } catch (error) {
        if (!(error instanceof OauthRefusal)) throw error;
        file.remove();
        throw ended();
      }
    });

  let underWay: Promise<SignIn> | null = null;
  const renew = async (spent: string): Promise<SignIn> => {
    underWay ??= exchange(spent).finally(() => {
      underWay = null;
    });
    current = await underWay;
    return current;
  };

  return {
    async headers() {
      const held = current as SignIn;
      const isSpent = held.expires_at * 1000 - shell.clock.now() < marginMs;
      return headersOf(isSpent ? await renew(held.access_token) : held);
    },
    async renew(refused) {
      const held = current as SignIn;
      if (headersOf(held).authorization === refused.authorization) await renew(held.access_token);
      return true;
    },
  };
}
