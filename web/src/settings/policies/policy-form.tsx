import type { Policy } from '@errand/client';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Section } from '../../ui/display/card.tsx';
import { FormProblem } from '../../ui/feedback/form-problem.tsx';
import { describeError } from '../../ui/feedback/state.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { useAction } from '../../ui/feedback/use-action.ts';
import { draftOf, movedUp, type RuleDraft, rulesOf } from './rule-draft.ts';
import { RuleRow } from './rule-row.tsx';

const mostRules = 100;

export interface PolicyFormProps {
  scope: Policy['scope'];
  /** Id of the project; omitted for the account and its team. */
  scopeId?: string;
  title: string;
  lead: string;
  /** The rules as stored. */
  rules: Policy['rules'];
  /** Whether this user may change them. */
  isEditable: boolean;
}

/** The rules that apply to one account, team, or project. */
export function PolicyForm({ scope, scopeId, title, lead, rules, isEditable }: PolicyFormProps) {
  const text = useText();
  const { policies, ui } = text;
  const [stored] = useState<readonly RuleDraft[]>(() => rules.map(draftOf));
  const [drafts, setDrafts] = useState(stored);
  const isChanged = JSON.stringify(rulesOf(drafts)) !== JSON.stringify(rulesOf(stored));
  const save = useAction(
    () => errand.policy.set({ scope, ...(scopeId !== undefined && { id: scopeId }), rules: rulesOf(drafts) }),
    { changes: [keys.policies], isQuiet: true, onDone: () => showToast(policies.saved) },
  );
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate(undefined);
  };
  const change = (at: number, part: Partial<RuleDraft>) =>
    setDrafts(drafts.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <Section title={title} lead={lead}>
      <form aria-label={title} onSubmit={submit}>
        <fieldset disabled={!isEditable} className="min-w-0 rounded-lg border border-line bg-card">
          {drafts.length === 0 && <p className="px-5 py-4 text-sm text-soft">{policies.noRules}</p>}
          <ol className="divide-y divide-line">
            {drafts.map((rule, at) => (
              <RuleRow
                key={rule.key}
                rule={rule}
                at={at}
                onChange={(part) => change(at, part)}
                onMoveUp={() => setDrafts(movedUp(drafts, at))}
                onRemove={() => setDrafts(drafts.toSpliced(at, 1))}
              />
            ))}
          </ol>
          {isEditable && (
            <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3">
              <Button size="small" disabled={drafts.length >= mostRules} onClick={() => setDrafts([...drafts, draftOf()])}>
                <Plus aria-hidden className="size-4" />
                {policies.addRule}
              </Button>
              {isChanged && (
                <>
                  <Button type="submit" size="small" look="primary" isBusy={save.isPending}>
                    {ui.save}
                  </Button>
                  <Button size="small" look="quiet" onClick={() => setDrafts(stored)}>
                    {policies.revert}
                  </Button>
                </>
              )}
            </div>
          )}
        </fieldset>
        <div className="mt-3">
          <FormProblem problem={save.error === null ? null : describeError(save.error, text)} />
        </div>
      </form>
    </Section>
  );
}
