import { accountOption, defineCommand } from './command.ts';
import { withConnection } from './connect.ts';
import { exitCode, UsageFault } from './exit-code.ts';
import { printJson, printNote } from './output.ts';

export const identityLink = defineCommand({
  name: 'identity link',
  summary: 'Have somebody at a provider of OpenID Connect sign in to an account.',
  args: {},
  options: {
    subject: { type: 'string', value: 'SUB', about: 'Who it is to the provider (the claim sub).' },
    issuer: { type: 'string', value: 'URL', about: 'Issuer of the provider (default: ERRAND_OIDC_ISSUER of the service).' },
    ...accountOption,
  },
  examples: [['identity link --account ann@example.com --subject 248289761001', 'for a provider that tells no verified address']],
  async run(shell, { options }) {
    const { subject, issuer } = options;
    if (subject === undefined) throw new UsageFault('--subject is missing');
    return withConnection(shell, { account: options.account }, async (connection) => {
      const linked = await connection.call('identity.link', { subject, issuer });
      if (options.json) printJson(shell, linked);
      else printNote(shell, `linked with ${linked.issuer}`);
      return exitCode.done;
    });
  },
});
