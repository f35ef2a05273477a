import { pause } from '@errand/base/clock.ts';
import { cleanLine } from '@errand/base/text/terminal-text.ts';
import { readWebAddress } from '../../config/setting-readers.ts';
import { WrongValue } from '../../config/setting.ts';
import { CommandFault, exitCode, UsageFault } from '../exit-code.ts';
import type { OptionTable } from '../input/command-shape.ts';
import { printNote, printReport } from '../output/print.ts';
import type { Shell } from '../shell.ts';
import { type DeviceStart, OauthClient, OauthRefusal } from '../transport/oauth-client.ts';
import { type SignIn, SignInFile } from '../transport/sign-in-file.ts';
import { ConnectionLost } from '../transport/transport.ts';
import { defineCommand } from './command.ts';

const urlOption = {
  url: { type: 'string', value: 'URL', about: 'URL of the instance (default: ERRAND_URL).' },
} as const satisfies OptionTable;

/** The URL of the instance to sign in to or out of. */
function readUrl({ config }: Shell, given: string | undefined): string {
  if (given === undefined) {
    if (config.serviceUrl === null) throw new UsageFault('--url is required unless ERRAND_URL is set');
    return config.serviceUrl;
  }
  try {
    return readWebAddress(given);
  } catch (error) {
    throw error instanceof WrongValue ? new UsageFault(`--url ${error.message}`) : error;
  }
}

function printInstructions(shell: Shell, { verification_uri, verification_uri_complete, user_code }: DeviceStart): void {
  printNote(shell, `Open ${cleanLine(verification_uri_complete ?? verification_uri, 2000)}`);
  printNote(shell, `and allow access if the page shows the code ${cleanLine(user_code)}. Waiting…`);
}

/** Polls until the user has decided; null if the command is interrupted. */
async function waitForDecision(shell: Shell, calls: OauthClient, device: DeviceStart): Promise<SignIn | null> {
  let delayMs = device.interval * 1000;
  const endsAtMs = shell.clock.monotonic() + device.expires_in * 1000;
  while (shell.clock.monotonic() < endsAtMs) {
    await pause(shell.clock, delayMs, shell.signal);
    if (shell.signal.aborted) return null;
    try {
      return await calls.exchangeDevice(device.device_code);
    } catch (error) {
      const code = error instanceof OauthRefusal ? error.code : null;
      // RFC 8628 requires this, and it helps a service that is busy or briefly unavailable.
      if (code === 'slow_down' || error instanceof ConnectionLost) delayMs += 5000;
      else if (code !== 'authorization_pending') throw explain(error);
    }
  }
  throw explain(new OauthRefusal('', { code: 'expired_token' }));
}

function explain(error: unknown): unknown {
  if (!(error instanceof OauthRefusal)) return error;
  const { code } = error;
  if (code === 'access_denied') return new CommandFault('access was not allowed at the browser', { code });
  if (code === 'expired_token') return new CommandFault('nobody allowed access in time; run errand login again', { code });
  return error;
}

/** Revokes an earlier sign-in. A failure does not matter. */
async function endEarlier(calls: OauthClient, file: SignInFile): Promise<void> {
  try {
    const earlier = file.read();
    if (earlier) await calls.revoke(earlier.refresh_token);
  } catch {
    return;
  }
}

/** `errand login` */
export const login = defineCommand({
  name: 'login',
  summary: 'Sign the command line in to an instance with your browser.',
  options: urlOption,
  details: `Prints a URL and a code; open the URL in a browser on this machine or another. Commands with ERRAND_URL then work without
ERRAND_API_KEY until errand logout. The tokens are stored in a file that only you can read.`,
  examples: [['login --url https://errand.example.com', 'then: ERRAND_URL=https://errand.example.com errand task list']],
  async run(shell, { options }) {
    const url = readUrl(shell, options.url);
    const file = new SignInFile(shell, url);
    const calls = new OauthClient(url, shell.clock);
    const device = await calls.beginDevice();
    printInstructions(shell, device);
    const signIn = await waitForDecision(shell, calls, device);
    if (!signIn) return exitCode.interrupted;
    await file.locked(async () => {
      await endEarlier(calls, file);
      file.write(signIn);
    });
    if (shell.config.secrets.apiKey !== null) printNote(shell, 'ERRAND_API_KEY is set; commands use it instead of this sign-in');
    return printReport(shell, options.json, {
      text: `signed in to ${url}`,
      json: { url, scope: signIn.scope, file: file.path },
    });
  },
});

/** `errand logout` */
export const logout = defineCommand({
  name: 'logout',
  summary: 'Revoke and delete the tokens that errand login stored.',
  options: urlOption,
  examples: [['logout --url https://errand.example.com', 'the instance rejects the tokens from now on']],
  async run(shell, { options }) {
    const url = readUrl(shell, options.url);
    const file = new SignInFile(shell, url);
    await file.locked(async () => {
      const signIn = file.read();
      if (!signIn) throw new CommandFault(`nobody is signed in to ${url}`);
      try {
        await new OauthClient(url, shell.clock).revoke(signIn.refresh_token);
      } catch (error) {
        // The file stays so that the command can be repeated; without it, nobody could revoke the tokens.
        const problem = `${(error as Error).message}; still signed in: try again, or disconnect it under Connected apps`;
        throw new CommandFault(problem, { code: 'unavailable', cause: error });
      }
      file.remove();
    });
    return printReport(shell, options.json, { text: `signed out of ${url}`, json: { url, revoked: true } });
  },
});
