import { useLocation } from '@tanstack/react-router';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { LinkTabs } from '../ui/display/link-tabs.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { Accounts } from './accounts/accounts.tsx';
import { FailedDeliveries } from './failed-deliveries.tsx';
import { Models } from './models/models.tsx';
import { Overview } from './overview/overview.tsx';
import { SecurityRecord } from './security-record.tsx';
import { InstanceTasks } from './tasks/instance-tasks.tsx';

const parts: Record<string, () => React.ReactNode> = {
  '/instance/tasks': InstanceTasks,
  '/instance/accounts': Accounts,
  '/instance/models': Models,
  '/instance/deliveries': FailedDeliveries,
  '/instance/record': SecurityRecord,
};

/** What owners of the instance see and change of it as a whole. */
export function InstancePage() {
  const { instance, models } = useText();
  const session = useSession();
  const { pathname } = useLocation();
  const Part = parts[pathname] ?? Overview;
  const tabs = [
    { to: '/instance', label: instance.overview, isExact: true },
    { to: '/instance/tasks', label: instance.tasks },
    { to: '/instance/accounts', label: instance.accounts },
    { to: '/instance/models', label: models.title },
    { to: '/instance/deliveries', label: instance.deliveries },
    { to: '/instance/record', label: instance.record },
  ] as const;
  return (
    <Page isWide>
      <PageHeader title={instance.title} />
      {session.isPending && <SkeletonList />}
      {session.data?.instance.is_owner === false && <p className="text-soft">{instance.ownersOnly}</p>}
      {session.data?.instance.is_owner === true && (
        <>
          <LinkTabs label={instance.title} tabs={tabs} />
          <Part />
        </>
      )}
    </Page>
  );
}
