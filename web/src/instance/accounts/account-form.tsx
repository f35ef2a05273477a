import { type SubmitEvent, useState } from 'react';
import { errand } from '../../api/errand.ts';
import type { ManagedAccount } from '../../api/instance-queries.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field, TextField } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { Checkbox } from '../../ui/controls/switch.tsx';
import { Card, Section } from '../../ui/display/card.tsx';
import { FormProblem, sortProblem } from '../../ui/feedback/form-problem.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { type AccountDraft, draftOf, requestOf } from './account-draft.ts';

const plans = ['free', 'pro', 'team'] as const satisfies readonly ManagedAccount['plan'][];

interface AccountFieldsProps {
  draft: AccountDraft;
  isYours: boolean;
  onChange(part: Partial<AccountDraft>): void;
}

function AccountFields({ draft, isYours, onChange }: AccountFieldsProps) {
  const { instance, settings } = useText();
  const limit = { type: 'number', inputMode: 'numeric', min: 0, hint: instance.limitHint } as const;
  return (
    <>
      <Field label={instance.plan}>
        {(control) => (
          <Select
            {...control}
            value={draft.plan}
            options={plans.map((value) => ({ value, label: settings.plans[value] }))}
            onValueChange={(plan) => onChange({ plan })}
          />
        )}
      </Field>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={instance.maxBytes}
          {...limit}
          step="any"
          value={draft.maxMb}
          onChange={(event) => onChange({ maxMb: event.target.value })}
        />
        <TextField
          label={instance.maxFiles}
          {...limit}
          step={1}
          value={draft.maxFiles}
          onChange={(event) => onChange({ maxFiles: event.target.value })}
        />
      </div>
      <Checkbox
        label={instance.isOwner}
        hint={instance.isOwnerHint}
        isOn={draft.isOwner}
        disabled={isYours}
        onChange={(isOwner) => onChange({ isOwner })}
      />
    </>
  );
}

/** Changes the plan and limits of an account, and whether its user owns the instance. */
export function AccountForm({ account, isYours }: { account: ManagedAccount; isYours: boolean }) {
  const text = useText();
  const { instance } = text;
  const [draft, setDraft] = useState(() => draftOf(account));
  const save = useAction(() => errand.instance.updateAccount(requestOf(account, draft)), {
    changes: [keys.instanceAccounts, keys.session],
    isQuiet: true,
    onDone: () => showToast(instance.saved),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  return (
    <Section title={instance.settings}>
      <Card>
        <form onSubmit={submit} aria-label={instance.settings} className="flex flex-col gap-5">
          <AccountFields draft={draft} isYours={isYours} onChange={(part) => setDraft((before) => ({ ...before, ...part }))} />
          <FormProblem problem={sortProblem(save.error, [], text).rest} />
          <div>
            <Button type="submit" look="primary" isBusy={save.isPending}>
              {instance.save}
            </Button>
          </div>
        </form>
      </Card>
    </Section>
  );
}
