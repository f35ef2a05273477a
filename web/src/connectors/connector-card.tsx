import type { Connector } from '@errand/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { LogIn, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Badge, type Tone } from '../ui/display/badge.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Card } from '../ui/display/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { showError } from '../ui/feedback/toast.tsx';
import { Time } from '../ui/display/time.tsx';
import { SignInDialog } from './sign-in-dialog.tsx';

const tones: Record<Connector['status'], Tone> = {
  connected: 'good',
  connecting: 'plain',
  failing: 'bad',
  needs_sign_in: 'warn',
};

function Tools({ tools }: { tools: readonly string[] }) {
  const { connectors } = useText();
  if (tools.length === 0) return null;
  return (
    <details className="mt-3 text-sm">
      <summary className="w-fit rounded-sm text-soft hover:text-ink">{connectors.tools(tools.length)}</summary>
      <ul className="mt-2 flex flex-wrap gap-1.5">
        {tools.map((tool) => (
          <li key={tool} className="rounded-sm bg-hover px-1.5 py-0.5 font-mono text-xs wrap-anywhere">
            {tool}
          </li>
        ))}
      </ul>
    </details>
  );
}

function Actions({ connector }: { connector: Connector }) {
  const { connectors, ui } = useText();
  const client = useQueryClient();
  const [open, setOpen] = useState<'sign-in' | 'delete' | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: keys.connectors });
  const check = useMutation({
    mutationFn: () => errand.connector.check({ connector_id: connector.id }),
    onSuccess: refresh,
    onError: showError,
  });
  const remove = async () => {
    await errand.connector.delete({ connector_id: connector.id });
    await refresh();
  };
  return (
    <div className="flex flex-wrap gap-2">
      {connector.status === 'needs_sign_in' && (
        <Button size="small" look="primary" onClick={() => setOpen('sign-in')}>
          <LogIn aria-hidden className="size-4" />
          {connectors.signIn}
        </Button>
      )}
      <Button size="small" isBusy={check.isPending} onClick={() => check.mutate()}>
        <RefreshCw aria-hidden className="size-4" />
        {connectors.check}
      </Button>
      <Button size="small" look="quiet" aria-label={connectors.deleteOne(connector.name)} onClick={() => setOpen('delete')}>
        <Trash2 aria-hidden className="size-4" />
      </Button>
      {open === 'sign-in' && <SignInDialog connector={connector} onClose={() => setOpen(null)} />}
      <ConfirmDialog
        isOpen={open === 'delete'}
        onClose={() => setOpen(null)}
        title={connectors.deleteOne(connector.name)}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={remove}
      >
        {connectors.deleteBody}
      </ConfirmDialog>
    </div>
  );
}

/** A connector: whether it can be reached, its tools, and its menu. */
export function ConnectorCard({ connector }: { connector: Connector }) {
  const { connectors } = useText();
  const { name, url, description, status, problem, tools, enabled_by_default: isDefault } = connector;
  return (
    <Card>
      <div className="flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="flex flex-wrap items-center gap-2 font-medium">
            <span className="wrap-anywhere">{name}</span>
            <Badge tone={tones[status]}>{connectors.statuses[status]}</Badge>
            {isDefault && <Badge>{connectors.isDefault}</Badge>}
          </h2>
          <p className="mt-0.5 font-mono text-xs wrap-anywhere text-soft">{url}</p>
        </div>
        <Actions connector={connector} />
      </div>
      {description !== '' && <p className="mt-2 text-sm wrap-anywhere">{description}</p>}
      {problem !== null && status === 'failing' && <p className="mt-2 text-sm wrap-anywhere text-bad">{problem}</p>}
      <Tools tools={tools} />
      <p className="mt-3 text-xs text-soft">
        {connectors.checked} <Time ms={connector.checked_at * 1000} />
      </p>
    </Card>
  );
}
