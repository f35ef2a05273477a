import type { CreditDesk } from '../api/credit-desk.ts';
import type { AttachmentIntake, Context, WorkspaceFiles } from '../api/operation.ts';
import type { ConnectorDesk } from '../api/connector-desk.ts';
import type { SkillDesk } from '../api/skill-desk.ts';
import type { Urls } from '../api/urls.ts';
import type { WebhookDesk } from '../api/webhook-desk.ts';
import type { PasswordPace } from '../store/attempts.ts';
import type { Passwords } from '../base/passwords.ts';
import { Fault } from '../base/fault.ts';
import type { Database, IdempotencyKey } from '../store/db/database.ts';
import type { Operation as StoreOperation } from '../store/db/operation.ts';
import type { Caller } from './authenticate.ts';

export interface ContextParts {
  database: Database;
  families: readonly string[];
  urls: Urls;
  workspaceFiles: WorkspaceFiles;
  webhooks: WebhookDesk;
  passwords: Passwords;
  passwordPace: PasswordPace;
  intake: AttachmentIntake;
  credits: CreditDesk;
  skills: SkillDesk;
  connectors: ConnectorDesk;
}

/** A handler's context, which also remembers whether its write had been done by an earlier request. */
export interface RequestContext extends Context {
  readonly isReplay: boolean;
}

export function createContext(
  {
    database,
    families,
    urls,
    workspaceFiles,
    webhooks,
    passwords,
    passwordPace,
    intake,
    credits,
    skills,
    connectors,
  }: ContextParts,
  { principal, family }: Caller,
  now: number,
  idempotencyKey: IdempotencyKey | null,
): RequestContext {
  let hasWritten = false;
  let isReplay = false;
  async function write<Args, Result>(operation: StoreOperation<Args, Result>, args: Args): Promise<Result> {
    if (hasWritten)
      throw new Fault('internal', 'Something went wrong inside the service.', { detail: 'a second write of one request' });
    hasWritten = true;
    if (!idempotencyKey) return database.run(operation, args);
    const remembered = await database.runOnce(operation, args, idempotencyKey);
    isReplay = remembered.isReplay;
    return remembered.result;
  }
  return {
    principal,
    family,
    families,
    now,
    urls,
    workspaceFiles,
    webhooks,
    passwords,
    passwordPace,
    intake,
    credits,
    skills,
    connectors,
    read: (operation, args) => database.run(operation, args),
    write,
    get isReplay() {
      return isReplay;
    },
  };
}
