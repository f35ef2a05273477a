import { Fault } from '@errand/base/fault.ts';
import { instanceRecord, type SecurityEventKind } from '../../../rules/accounts/security-event.ts';
import { integer, nullable, tableCodec, text } from '../../db/row-codec.ts';
import { countRow } from '../../db/shared-rows.ts';
import {
  insertRow,
  type Script,
  selectAll,
  selectFirst,
  sql,
  type Statement,
  type StoreOperation,
} from '../../db/store-operation.ts';
import { noteSecurityEvent } from '../security-events.ts';

const authenticatorRow = tableCodec('authenticators', {
  id: text,
  secret: text,
  confirmed_at: nullable(integer),
  last_step: integer,
});

/** An authenticator app of an account. */
export type Authenticator = ReturnType<typeof authenticatorRow.read>;

/** The authenticator that counts at sign-in; null for an account without two-step sign-in. */
export function* readConfirmed(accountId: string): Script<Authenticator | null> {
  const row = yield* selectFirst(
    `SELECT ${authenticatorRow.columns} FROM authenticators WHERE account_id = ? AND confirmed_at IS NOT NULL`,
    accountId,
  );
  return row ? authenticatorRow.read(row) : null;
}

/** Locks the account, which serializes changes to its second step; whether it has one. */
function* lockTwoStep(accountId: string): Script<boolean> {
  const owner = yield* selectFirst('SELECT account_id FROM accounts WHERE account_id = ? FOR UPDATE', accountId);
  if (!owner) throw new Fault('not_found', 'account not found');
  return (yield* readConfirmed(accountId)) !== null;
}

function* requireTwoStep(accountId: string): Script<void> {
  if (!(yield* lockTwoStep(accountId))) throw new Fault('failed_precondition', 'Two-step sign-in is off for this account.');
}

/** What an account has of two-step sign-in. */
export interface TwoStepState {
  /** Milliseconds since the epoch; null while it is off. */
  onSinceMs: number | null;
  codesLeft: number;
}

export const describeTwoStep: StoreOperation<{ accountId: string }, TwoStepState> = {
  name: 'twoStep.describe',
  access: 'read',
  *run({ accountId }) {
    const authenticator = yield* readConfirmed(accountId);
    const row = yield* selectFirst('SELECT COUNT(*) AS count FROM recovery_codes WHERE account_id = ?', accountId);
    return { onSinceMs: authenticator?.confirmedAtMs ?? null, codesLeft: row ? countRow.count(row) : 0 };
  },
};

export interface BeginTwoStepArgs {
  accountId: string;
  /** Names the authenticator. */
  id: string;
  sealedSecret: string;
  now: number;
}

/** Stores an authenticator that counts once a code of it is entered; replaces one that was never confirmed. 412 if two-step sign-in is on. */
export const beginTwoStep: StoreOperation<BeginTwoStepArgs, null> = {
  name: 'twoStep.begin',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, id, sealedSecret: secret, now }) {
    if (yield* lockTwoStep(accountId)) {
      throw new Fault('failed_precondition', 'Two-step sign-in is already on; turn it off to use another authenticator app.');
    }
    yield [
      sql('DELETE FROM authenticators WHERE account_id = ?', accountId),
      insertRow('authenticators', { account_id: accountId, id, secret, created_at: now }),
    ];
    return null;
  },
};

/** An authenticator of an account that was not confirmed yet; null if there is none with this id. */
export const findUnconfirmed: StoreOperation<{ accountId: string; id: string }, Authenticator | null> = {
  name: 'twoStep.findUnconfirmed',
  access: 'read',
  *run({ accountId, id }) {
    const row = yield* selectFirst(
      `SELECT ${authenticatorRow.columns} FROM authenticators WHERE account_id = ? AND id = ? AND confirmed_at IS NULL`,
      accountId,
      id,
    );
    return row ? authenticatorRow.read(row) : null;
  },
};

function replaceCodes(accountId: string, digests: readonly string[]): Statement[] {
  return [
    sql('DELETE FROM recovery_codes WHERE account_id = ?', accountId),
    ...digests.map((digest) => insertRow('recovery_codes', { account_id: accountId, digest })),
  ];
}

export interface ConfirmTwoStepArgs {
  accountId: string;
  id: string;
  /** The period of the code that was entered, which cannot be used again. */
  step: number;
  /** Stored forms of the recovery codes. */
  codes: readonly string[];
  actor: string;
  now: number;
}

/** Turns two-step sign-in on; 404 if the authenticator is gone, replaced, or already confirmed. */
export const confirmTwoStep: StoreOperation<ConfirmTwoStepArgs, null> = {
  name: 'twoStep.confirm',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, id, step, codes, actor, now }) {
    yield* lockTwoStep(accountId);
    const set = yield* selectAll(
      `UPDATE authenticators SET confirmed_at = ?, last_step = ? WHERE account_id = ? AND id = ? AND confirmed_at IS NULL RETURNING id`,
      now,
      step,
      accountId,
      id,
    );
    if (set.length === 0) throw new Fault('not_found', 'setup_id not found; begin again');
    yield [
      ...replaceCodes(accountId, codes),
      noteSecurityEvent({ accountId, atMs: now, kind: 'two_step_on', actor, detail: {} }),
    ];
    return null;
  },
};

export interface RenewCodesArgs {
  accountId: string;
  codes: readonly string[];
  actor: string;
  now: number;
}

/** Replaces the recovery codes; 412 while two-step sign-in is off. */
export const renewRecoveryCodes: StoreOperation<RenewCodesArgs, null> = {
  name: 'twoStep.renewCodes',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, codes, actor, now }) {
    yield* requireTwoStep(accountId);
    const event = { accountId, atMs: now, kind: 'recovery_codes_created' as const, actor, detail: {} };
    yield [...replaceCodes(accountId, codes), noteSecurityEvent(event)];
    return null;
  },
};

export interface RemoveTwoStepArgs {
  accountId: string;
  /** Whether somebody does it who administers the instance; it is then in the record of the instance as well. */
  isForInstance: boolean;
  actor: string;
  now: number;
}

/** Turns two-step sign-in off, and voids sign-ins that wait for it; 412 if it is off. */
export const removeTwoStep: StoreOperation<RemoveTwoStepArgs, null> = {
  name: 'twoStep.remove',
  access: 'write',
  keys: ({ accountId }) => [accountId],
  *run({ accountId, isForInstance, actor, now }) {
    yield* requireTwoStep(accountId);
    const kind: SecurityEventKind = 'two_step_off';
    const event = { atMs: now, kind, actor };
    yield [
      // In the order in which a sign-in that passes locks them, so that neither waits for the other.
      ...['pending_sign_ins', 'authenticators', 'recovery_codes'].map((table) =>
        sql(`DELETE FROM ${table} WHERE account_id = ?`, accountId),
      ),
      noteSecurityEvent({ ...event, accountId, detail: {} }),
      ...(isForInstance ? [noteSecurityEvent({ ...event, accountId: instanceRecord, detail: { account_id: accountId } })] : []),
    ];
    return null;
  },
};
