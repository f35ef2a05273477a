import type { Clock } from '@errand/base/clock.ts';
import { silentLog } from '@errand/base/log.ts';
import type { Config } from '../config/config.ts';
import { readPlatforms } from '../app/build-bridges.ts';

const patienceMs = 15_000;

export interface BridgeCheck {
  platform: string;
  /** How the bot is called; empty where it could not be asked. */
  name: string;
  problem: string | null;
}

/** Asks each platform of the configuration whose token it is. */
export async function tryBridges(config: Config, clock: Clock): Promise<BridgeCheck[]> {
  const settings = readPlatforms(config, clock);
  if (settings === null) return [];
  const { openPlatforms } = await import('../bridges/chats/open-bridge.ts');
  const checks = openPlatforms(settings, { clock, log: silentLog }).map(async (platform): Promise<BridgeCheck> => {
    const deadline = new AbortController();
    const timer = clock.setTimer(() => deadline.abort(new Error('there was no answer in time')), patienceMs);
    try {
      const { name } = await platform.identify(deadline.signal);
      return { platform: platform.name, name, problem: null };
    } catch (error) {
      return { platform: platform.name, name: '', problem: (error as Error).message };
    } finally {
      timer.cancel();
    }
  });
  return Promise.all(checks);
}
