import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { TextField } from '../ui/controls/field.tsx';
import { type FormProblems, sortProblem } from '../ui/feedback/form-problem.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { type HeaderField, HeaderFields } from './header-fields.tsx';
import type { KnownServer } from './known-servers.ts';
import { NewButton } from '../ui/controls/new-button.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

const formId = 'new-connector';
const fields = ['name', 'url', 'description', 'headers'];
const nothing = { name: '', url: '', description: '', headers: [] as readonly HeaderField[], isDefault: true };

/** What a connector is made from. */
export type ConnectorFacts = typeof nothing;
type Facts = ConnectorFacts;

interface ConnectorFormProps {
  facts: Facts;
  problems: FormProblems;
  onChange(part: Partial<Facts>): void;
  onSubmit(): void;
}

function ConnectorForm({ facts, problems, onChange, onSubmit }: ConnectorFormProps) {
  const { connectors } = useText();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const bind = (field: 'name' | 'url' | 'description') => ({
    value: facts[field],
    problem: problems.of(field),
    onChange: (event: ChangeEvent<HTMLInputElement>) => onChange({ [field]: event.target.value }),
  });
  return (
    <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
      <TextField label={connectors.name} required maxLength={100} {...bind('name')} />
      <TextField
        label={connectors.url}
        type="url"
        required
        placeholder="https://mcp.example.com/mcp"
        {...bind('url')}
        problem={problems.of('url') ?? problems.rest}
      />
      <TextField label={connectors.description} isOptional maxLength={1000} {...bind('description')} />
      <HeaderFields fields={facts.headers} problem={problems.of('headers')} onChange={(headers) => onChange({ headers })} />
      <Switch
        label={connectors.byDefault}
        hint={connectors.byDefaultHint}
        isOn={facts.isDefault}
        onChange={(isDefault) => onChange({ isDefault })}
      />
    </form>
  );
}

/** The form for a known server: what its maker documents is filled in. */
export function factsOf({ name, url, access }: KnownServer, description: string): Facts {
  const headers = access === 'key' ? [{ key: 1, name: 'Authorization', value: 'Bearer ' }] : [];
  return { ...nothing, name, url, description, headers };
}

interface NewConnectorProps {
  /** What the open form begins with; null while it is closed. */
  start: Facts | null;
  onOpen(): void;
  onClose(): void;
}

/** Connects an MCP server. The service lists its tools right away, so a wrong URL shows here. */
export function NewConnector({ start, onOpen, onClose }: NewConnectorProps) {
  const { connectors } = useText();
  return (
    <>
      <NewButton label={connectors.new} onClick={onOpen} />
      {start && <ConnectorDialog start={start} onClose={onClose} />}
    </>
  );
}

/** The form with nothing in it. */
export const emptyFacts: Facts = nothing;

function ConnectorDialog({ start, onClose }: { start: Facts; onClose(): void }) {
  const text = useText();
  const { connectors } = text;
  const client = useQueryClient();
  const [facts, setFacts] = useState(start);
  const change = (part: Partial<Facts>) => setFacts((known) => ({ ...known, ...part }));
  const create = useMutation({
    mutationFn: () =>
      errand.connector.create({
        name: facts.name,
        url: facts.url,
        description: facts.description,
        headers: Object.fromEntries(facts.headers.filter(({ name }) => name !== '').map(({ name, value }) => [name, value])),
        enabled_by_default: facts.isDefault,
      }),
    onSuccess: async ({ connector }) => {
      await client.invalidateQueries({ queryKey: keys.connectors });
      if (connector.status === 'connected') showToast(connectors.added(connector.name));
      onClose();
    },
  });
  const actions = (
    <DialogActions onCancel={onClose} label={connectors.connect} type="submit" form={formId} isBusy={create.isPending} />
  );
  return (
    <Dialog isOpen onClose={onClose} title={connectors.new} lead={connectors.newLead} actions={actions}>
      <ConnectorForm
        facts={facts}
        onChange={change}
        onSubmit={() => create.mutate()}
        problems={sortProblem(create.error, fields, text)}
      />
    </Dialog>
  );
}
