import { pause } from '@errand/base/clock.ts';
import { defineCommand } from './command.ts';
import { CommandFault, exitCode } from './exit-code.ts';
import { type DeviceStart, OauthCalls, OauthRefusal } from './oauth-calls.ts';
import { terminalLine, printJson, printNote, printText } from './output.ts';
import type { Shell } from './shell.ts';
import { type SignIn, SignInFile } from './sign-in-file.ts';
import { ConnectionLost } from './transport.ts';
import { readUrl, urlOption } from './url-option.ts';

function describeVerification(shell: Shell, { verification_uri, verification_uri_complete, user_code }: DeviceStart): void {
  printNote(shell, `Open ${terminalLine(verification_uri_complete ?? verification_uri, 2000)}`);
  printNote(shell, `and allow it if the page shows the code ${terminalLine(user_code)}. Waiting…`);
}

/** Asks until the person has decided; null when the command is interrupted. */
async function waitForDecision(shell: Shell, calls: OauthCalls, device: DeviceStart): Promise<SignIn | null> {
  let delayMs = device.interval * 1000;
  const endsAtMs = shell.clock.monotonic() + device.expires_in * 1000;
  while (shell.clock.monotonic() < endsAtMs) {
    await pause(shell.clock, delayMs, shell.signal);
    if (shell.signal.aborted) return null;
    try {
      return await calls.exchangeDevice(device.device_code);
    } catch (error) {
      const code = error instanceof OauthRefusal ? error.code : null;
      // Both what RFC 8628 asks for, and what helps a service that is busy or gone for a moment.
      if (code === 'slow_down' || error instanceof ConnectionLost) delayMs += 5000;
      else if (code !== 'authorization_pending') throw explain(error);
    }
  }
  throw explain(new OauthRefusal('', { code: 'expired_token' }));
}

function explain(error: unknown): unknown {
  if (!(error instanceof OauthRefusal)) return error;
  const { code } = error;
  if (code === 'access_denied') return new CommandFault('it was not allowed at the browser', { code });
  if (code === 'expired_token') return new CommandFault('nobody allowed it in time; run errand login again', { code });
  return error;
}

/** An earlier sign-in here is of no use any more; that it could not be revoked is no reason to fail. */
async function endEarlier(calls: OauthCalls, file: SignInFile): Promise<void> {
  try {
    const earlier = file.read();
    if (earlier) await calls.revoke(earlier.refresh_token);
  } catch {
    return;
  }
}

export const login = defineCommand({
  name: 'login',
  summary: 'Sign this command line in to an instance, with your consent at a browser.',
  args: {},
  options: urlOption,
  details: `It shows an address and a code; open the address at any browser, on this machine or another. Commands with ERRAND_URL then
work without ERRAND_API_KEY, until errand logout. What is kept stands in a file that only you can read.`,
  examples: [['login --url https://errand.example.com', 'then: ERRAND_URL=https://errand.example.com errand task list']],
  async run(shell, { options }) {
    const url = readUrl(shell, options.url);
    const file = new SignInFile(shell, url);
    const calls = new OauthCalls(url, shell.clock);
    const device = await calls.beginDevice();
    describeVerification(shell, device);
    const signIn = await waitForDecision(shell, calls, device);
    if (!signIn) return exitCode.interrupted;
    await file.locked(async () => {
      await endEarlier(calls, file);
      file.write(signIn);
    });
    if (options.json) printJson(shell, { url, scope: signIn.scope, file: file.path });
    else printText(shell, `signed in at ${url}`);
    if (shell.config.secrets.apiKey !== null) printNote(shell, 'ERRAND_API_KEY is set, and commands go on using it instead');
    return exitCode.done;
  },
});
