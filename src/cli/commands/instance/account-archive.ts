import { open, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isEmailAddress } from '@errand/base/text/email-address.ts';
import { CommandFault, type ExitCode, UsageFault } from '../../exit-code.ts';
import { requireOption } from '../../input/options.ts';
import { printReport } from '../../output/print.ts';
import type { Shell } from '../../shell.ts';
import { withConnection } from '../../transport/connect.ts';
import type { Connection } from '../../transport/connection.ts';
import type { ResultOf } from '../../transport/operations.ts';
import { defineCommand } from '../command.ts';

type Archive = ResultOf<'operator.exportAccount'>['archive'];

/** What each kind of secret that is not in an archive is, and how it comes back. */
const remedies: Readonly<Record<string, string>> = {
  password: 'the password: errand account password',
  api_key: 'API keys: errand key create',
  webhook_secret: 'secrets of webhooks: errand webhook rotate-secret',
  trigger_url: 'URLs, addresses, and secrets of triggers, which are new: errand trigger show, update',
  connector: 'keys and sign-ins of connectors: errand connector',
  application_secret: 'secrets of applications: errand app',
  model_key: 'keys of model providers: errand model-key set',
  identity: 'sign-in with the identity provider: link it again in the settings',
  chat: 'linked chats: link them again',
  connected_application: 'connected applications: connect them again',
  team: 'membership in a team: invite the account again',
};

/** One line for each kind of what has to be entered again. */
function explainLost({ enter_again }: Archive): string[] {
  const kinds = Map.groupBy(enter_again, ({ kind }) => kind);
  return [...kinds].map(([kind, { length }]) => `not in the archive: ${remedies[kind] ?? kind} (${length})`);
}

function describe({ account_id, rows, files, workspaces, bytes }: Archive): string {
  return `account ${account_id}: ${rows} rows, ${files} files, ${workspaces} workspaces, ${Math.ceil(bytes / 1e6)} MB`;
}

/** Downloads an archive from a remote service, which issues a URL for it. */
async function download(url: string, file: string, { signal }: Shell): Promise<number> {
  const response = await fetch(url, { redirect: 'error', signal }).catch((error: unknown) => {
    throw new CommandFault(`cannot reach ${new URL(url).origin}, where the export is: ${(error as Error).message}`, {
      cause: error,
    });
  });
  if (!response.ok || !response.body) throw new CommandFault(`the export was answered with status ${response.status}`);
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFault(`--to: ${file} ${error.code === 'EEXIST' ? 'exists already' : `cannot be written (${error.code})`}`);
  });
  try {
    let bytes = 0;
    for await (const piece of response.body as AsyncIterable<Uint8Array>) {
      await handle.appendFile(piece);
      bytes += piece.byteLength;
    }
    await handle.sync();
    return bytes;
  } catch (error) {
    await rm(file, { force: true });
    throw new CommandFault(`the export was cut: ${(error as Error).message}; run the command again`, { cause: error });
  } finally {
    await handle.close();
  }
}

async function exportRemote(shell: Shell, connection: Connection, account: string, file: string, json?: true): Promise<ExitCode> {
  const { account_id, url } = await connection.call('instance.exportAccount', { account_id: account });
  const bytes = await download(url, file, shell);
  return printReport(shell, json, {
    text: `exported account ${account_id} to ${file}: ${Math.ceil(bytes / 1e6)} MB`,
    notes: ['its manifest.json names the secrets that have to be entered again after an import'],
    json: { account_id, file, bytes },
  });
}

/** `errand account export` */
const exportAccount = defineCommand({
  name: 'account export',
  summary: 'Write an account with everything of it to one zip file.',
  args: { ACCOUNT: 'E-mail address or ID of the account.' },
  options: { to: { type: 'string', value: 'FILE', about: 'The file, which must not exist yet.' } },
  details: `While the service runs or not, and from a remote instance with an instance key. Secrets are not in the file: passwords, API keys,
tokens, secrets of webhooks, triggers, and connectors. Who has the file can read all tasks and files of the account.`,
  examples: [['account export ann@example.com --to ann.zip', 'everything of the account at this moment']],
  async run(shell, { options, args }) {
    const file = resolve(requireOption(options, 'to'));
    return withConnection(shell, { account: undefined }, async (connection) => {
      if (connection.kind === 'remote') return exportRemote(shell, connection, args.ACCOUNT, file, options.json);
      const { archive } = await connection.call('operator.exportAccount', { account_id: args.ACCOUNT, file });
      return printReport(shell, options.json, {
        text: `exported ${describe(archive)}, to ${file}`,
        notes: explainLost(archive),
        json: { file, ...archive },
      });
    });
  },
});

/** `errand account import` */
const importAccount = defineCommand({
  name: 'account import',
  summary: 'Store an account from the file of its export.',
  args: { FILE: 'The file that errand account export has written.' },
  options: { email: { type: 'string', value: 'EMAIL', about: 'Its address in this instance; default: as it was.' } },
  details: `All or nothing, while the service runs or not. IDs stay the same, so an instance that has the account refuses it: delete it there
first. Tasks, schedules, and webhooks go on at once, so disable the account before you export it, and enable it afterwards.`,
  examples: [
    ['account import ann.zip', 'with the address that the account had'],
    ['account import ann.zip --email ann@example.org', 'with another one'],
  ],
  async run(shell, { options, args }) {
    const { email, json } = options;
    if (email !== undefined && !isEmailAddress(email)) throw new UsageFault('--email must be an e-mail address');
    return withConnection(shell, { account: undefined }, async (connection) => {
      const { archive } = await connection.call('operator.importAccount', { file: resolve(args.FILE), email });
      return printReport(shell, json, {
        text: `imported ${describe(archive)}`,
        notes: explainLost(archive),
        json: { ...archive },
      });
    });
  },
});

/** `errand account export`, `import` */
export const accountArchiveCommands = [exportAccount, importAccount];
