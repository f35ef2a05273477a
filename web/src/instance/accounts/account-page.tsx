import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { FactList } from '../../automation/fact-list.tsx';
import { type ManagedAccount, managedAccountQuery } from '../../api/instance-queries.ts';
import { useSession } from '../../api/session.ts';
import { useFormat } from '../../text/format.ts';
import { useText } from '../../text/locale.ts';
import { BackLink } from '../../ui/display/back-link.tsx';
import { Badge } from '../../ui/display/badge.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { linkClasses } from '../../ui/display/link.tsx';
import { Page, PageHeader } from '../../ui/display/page.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { Time } from '../../ui/display/time.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { AccountForm } from './account-form.tsx';
import { PasswordLink } from './password-link.tsx';
import { TwoStepRemoval } from './two-step-removal.tsx';
import { AccountRemoval } from './account-removal.tsx';

function Facts({ account }: { account: ManagedAccount }) {
  const { instance, ui } = useText();
  const format = useFormat();
  const { id, storage, packed_workspaces: packed, usage, tasks, created_at: createdAt } = account;
  const counts = Object.entries(tasks)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${ui.taskStatus[status as keyof typeof tasks]}: ${format.number(count)}`);
  return (
    <Section title={instance.facts}>
      <Card>
        <FactList
          facts={[
            [instance.storage, instance.used(format.bytes(storage.bytes), format.bytes(storage.max_bytes))],
            [instance.files, instance.used(format.number(storage.files), format.number(storage.max_files))],
            [instance.packed, instance.packedWorkspaces(format.number(packed.count), format.bytes(packed.bytes))],
            [instance.credits, format.credits(usage.total_credits)],
            [
              instance.taskCounts,
              <span key="tasks">
                {counts.length > 0 && `${counts.join(' · ')} · `}
                <Link to="/instance/tasks" search={{ account: id }} className={linkClasses}>
                  {instance.showTasks}
                </Link>
              </span>,
            ],
            [instance.created, <Time key="created" ms={createdAt * 1000} />],
          ]}
        />
      </Card>
    </Section>
  );
}

function Keys({ keys }: Pick<ManagedAccount, 'keys'>) {
  const { instance } = useText();
  return (
    <Section title={instance.keys}>
      {keys.length === 0 && <p className="text-sm text-soft">{instance.noKeys}</p>}
      <ul className="flex flex-col gap-1.5 text-sm">
        {keys.map(({ id, name, tail }) => (
          <li key={id} className="wrap-anywhere">
            {instance.keyTail(name, tail)}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Loaded({ account, isYours }: { account: ManagedAccount; isYours: boolean }) {
  const { instance } = useText();
  const tones = { active: 'good', disabled: 'warn', deleting: 'bad' } as const;
  return (
    <>
      <PageHeader
        title={account.email}
        lead={<Badge tone={tones[account.status]}>{instance.accountStatus[account.status]}</Badge>}
      />
      <Facts account={account} />
      {account.status !== 'deleting' && (
        <>
          <AccountForm key={JSON.stringify(account.quotas)} account={account} isYours={isYours} />
          {account.status === 'active' && <PasswordLink account={account} />}
          {account.has_two_step && <TwoStepRemoval account={account} />}
          <Keys keys={account.keys} />
          <AccountRemoval account={account} isYours={isYours} />
        </>
      )}
    </>
  );
}

/** One account, for owners of the instance. */
export function AccountPage() {
  const { instance } = useText();
  const { accountId = '' } = useParams({ strict: false });
  const session = useSession();
  const account = useQuery(managedAccountQuery(accountId));
  return (
    <Page>
      <BackLink to="/instance/accounts">{instance.toAccounts}</BackLink>
      {account.data === undefined && <PageHeader title={instance.account} />}
      {account.isPending && <SkeletonList />}
      {account.error && <ErrorState error={account.error} onRetry={account.refetch} />}
      {account.data && <Loaded account={account.data} isYours={session.data?.account.id === account.data.id} />}
    </Page>
  );
}
