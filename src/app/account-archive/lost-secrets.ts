import type { LostSecret } from '../../store/account-archive/archive-manifest.ts';
import type { RowReader } from '../../store/account-archive/row-readers.ts';
import type { RowValues } from '../../store/db/store-operation.ts';

interface Source {
  kind: string;
  id: string;
  name: string;
  /** Rows count in which one of these columns has a value; without columns, every row counts. */
  has?: readonly string[];
}

/** Archived tables of which some columns are left out. */
const archived: Readonly<Record<string, Source>> = {
  accounts: { kind: 'password', id: 'account_id', name: 'email', has: ['password'] },
  webhooks: { kind: 'webhook_secret', id: 'id', name: 'url', has: ['secret'] },
  triggers: { kind: 'trigger_url', id: 'id', name: 'name' },
  connectors: { kind: 'connector', id: 'id', name: 'name', has: ['headers', 'oauth'] },
  oauth_apps: { kind: 'application_secret', id: 'client_id', name: 'name' },
};

/** Tables that are left out of the archive. */
const omitted: Readonly<Record<string, Source & { where: string }>> = {
  api_keys: { kind: 'api_key', id: 'id', name: 'name', where: 'account_id = ? AND revoked_at IS NULL' },
  model_keys: { kind: 'model_key', id: 'id', name: 'models', where: 'account_id = ?' },
  identities: { kind: 'identity', id: 'issuer', name: 'email', where: 'account_id = ?' },
  bridge_chats: { kind: 'chat', id: 'id', name: 'platform', where: 'account_id = ?' },
  oauth_grants: { kind: 'connected_application', id: 'client_id', name: 'client_id', where: 'account_id = ?' },
  team_members: { kind: 'team', id: 'team_id', name: 'role', where: 'account_id = ?' },
  other_memberships: { kind: 'team', id: 'team_id', name: 'role', where: 'account_id = ?' },
};

/** Collects the secrets that must be entered or created again after an import. */
export class LostSecrets {
  readonly list: LostSecret[] = [];

  note(table: string, row: RowValues): void {
    const source = archived[table];
    if (source && (source.has?.some((column) => row[column] !== null) ?? true)) this.#add(source, row);
  }

  async readOmitted(rows: RowReader, accountId: string): Promise<void> {
    for (const [table, source] of Object.entries(omitted)) {
      for await (const row of rows.read({ table, where: source.where, params: [accountId] })) this.#add(source, row);
    }
  }

  #add({ kind, id, name }: Source, row: RowValues): void {
    this.list.push({ kind, id: String(row[id]), name: String(row[name]) });
  }
}
