import type { Trigger } from '@errand/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Zap } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { usePages } from '../api/paging.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { NewButton } from '../ui/controls/new-button.tsx';
import { SecretDialog, type ShownSecret } from '../ui/dialogs/secret-dialog.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { shownSecretOf } from './shown-trigger-secret.ts';
import { TriggerDialog } from './trigger-dialog.tsx';
import { senderKindOf } from './trigger-request.ts';
import { TriggerSwitch } from './trigger-switch.tsx';
import { PagedList } from '../ui/display/paged-list.tsx';

const pageSize = 50;

function TriggerRow({ trigger }: { trigger: Trigger }) {
  const { triggers } = useText();
  const { id, name, message_template: template } = trigger;
  return (
    <li className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3 border-b border-line py-4 last:border-0">
      <div className="min-w-0 flex-1 basis-60">
        <Link to="/triggers/$triggerId" params={{ triggerId: id }} className={`font-medium wrap-anywhere ${linkClasses}`}>
          {name}
        </Link>
        <p className="mt-1 line-clamp-2 text-sm wrap-anywhere text-soft">{template}</p>
        <p className="mt-1 text-sm text-soft">{triggers.verifications[senderKindOf(trigger)]}</p>
      </div>
      <TriggerSwitch trigger={trigger} />
    </li>
  );
}

function TriggerList() {
  const { triggers } = useText();
  const pages = usePages<Trigger>([...keys.triggers, 'list'], {
    fetchPage: (cursor, signal) => errand.trigger.list({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, { signal }),
  });
  return (
    <PagedList
      pages={pages}
      skeleton={{ rows: 3, className: 'h-24' }}
      empty={
        <EmptyState icon={<Zap aria-hidden />} title={triggers.emptyTitle}>
          {triggers.emptyBody}
        </EmptyState>
      }
    >
      {(items) => (
        <ul aria-label={triggers.title}>
          {items.map((trigger) => (
            <TriggerRow key={trigger.id} trigger={trigger} />
          ))}
        </ul>
      )}
    </PagedList>
  );
}

/** The triggers of the account. */
export function TriggersPage() {
  const text = useText();
  const { triggers } = text;
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [created, setCreated] = useState<{ id: string; secret: ShownSecret } | null>(null);
  const show = (triggerId: string) => void navigate({ to: '/triggers/$triggerId', params: { triggerId } });
  const finish = (trigger: Trigger) => {
    setOpen(false);
    const secret = shownSecretOf(trigger, triggers.createdTitle(trigger.name), text);
    if (secret) setCreated({ id: trigger.id, secret });
    else show(trigger.id);
  };
  return (
    <Page>
      <PageHeader
        title={triggers.title}
        lead={triggers.lead}
        actions={<NewButton label={triggers.new} onClick={() => setOpen(true)} />}
      />
      <TriggerList />
      {isOpen && <TriggerDialog trigger={null} onClose={() => setOpen(false)} onSaved={finish} />}
      <SecretDialog shown={created?.secret ?? null} onClose={() => created && show(created.id)} />
    </Page>
  );
}
