import { silentLog } from '@errand/base/log.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readPlatforms } from '../app/channels/build-bridges.ts';
import { openPlatforms } from '../bridges/chats/open-bridge.ts';
import { type Check, type DoctorContext, findProblem } from './check.ts';

const timeoutMs = 15_000;

/** Asks each configured chat platform which bot its token belongs to. */
export async function checkBridges({ config, clock }: DoctorContext): Promise<Check[]> {
  const settings = readPlatforms(config, clock);
  if (settings === null) return [{ name: 'chats', state: 'ok', found: 'no bot is configured (docs/operate/chat-bridges.md)' }];
  const checks = openPlatforms(settings, { clock, log: silentLog }).map(async (platform): Promise<Check> => {
    const { name } = platform;
    let bot = '';
    const found = await findProblem(clock, timeoutMs, async (signal) => {
      bot = (await platform.identify(signal)).name;
    });
    if (found === null) return { name, state: 'ok', found: `people talk to their agent through ${cleanLine(bot)}` };
    const remedy = `check the token (ERRAND_${name.toUpperCase()}_…); until then, no messages arrive from there`;
    return { name, state: 'missing', found, remedy };
  });
  return Promise.all(checks);
}
