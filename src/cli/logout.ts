import { defineCommand } from './command.ts';
import { CommandFault, exitCode } from './exit-code.ts';
import { OauthCalls } from './oauth-calls.ts';
import { printJson, printText } from './output.ts';
import { SignInFile } from './sign-in-file.ts';
import { readUrl, urlOption } from './url-option.ts';

export const logout = defineCommand({
  name: 'logout',
  summary: 'Revoke what errand login got, and forget it.',
  args: {},
  options: urlOption,
  examples: [['logout --url https://errand.example.com', 'the instance refuses its tokens from then on']],
  async run(shell, { options }) {
    const url = readUrl(shell, options.url);
    const file = new SignInFile(shell, url);
    await file.locked(async () => {
      const signIn = file.read();
      if (!signIn) throw new CommandFault(`nobody is signed in at ${url}`);
      try {
        await new OauthCalls(url, shell.clock).revoke(signIn.refresh_token);
      } catch (error) {
        // The file stays, so that the command can be given again; without it nobody could revoke what it held.
        const problem = `${(error as Error).message}; still signed in: try again, or end it under Connected apps`;
        throw new CommandFault(problem, { code: 'unavailable', cause: error });
      }
      file.remove();
    });
    if (options.json) printJson(shell, { url, revoked: true });
    else printText(shell, `signed out at ${url}`);
    return exitCode.done;
  },
});
