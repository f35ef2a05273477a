import { Link } from '@tanstack/react-router';
import { ShieldQuestion } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button, buttonClasses } from '../../ui/controls/button.tsx';
import { joinClasses } from '../../ui/display/class-names.ts';
import { showError } from '../../ui/feedback/toast.tsx';
import type { ConfirmRow } from '../conversation/row.ts';
import { ConfirmControl } from './confirm-field.tsx';
import { asksToAccept, readConfirmFields } from './confirm-fields.ts';
import { ConfirmParams } from './confirm-params.tsx';
import type { RowActions, RowContext } from './row-props.ts';

function Decision({ row, actions }: { row: ConfirmRow; actions: RowActions }) {
  const { task } = useText();
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [deciding, setDeciding] = useState<'yes' | 'no' | null>(null);
  const [isLeftOpen, setLeftOpen] = useState(false);
  const needsSignIn = row.actionKind === 'connectorOauthExpired';
  const decide = async (isYes: boolean) => {
    setDeciding(isYes ? 'yes' : 'no');
    try {
      const input = asksToAccept(row.schema) ? { ...values, accept: isYes } : values;
      // After the decision, the row stays unchanged until the log says so.
      if (await actions.confirm(row.eventId, input)) return;
      setLeftOpen(true);
    } catch (error) {
      showError(error);
    }
    setDeciding(null);
  };
  return (
    <div className="mt-3 flex flex-col gap-3">
      {readConfirmFields(row.schema).map((field) => {
        const onChange = (value: unknown) => setValues((before) => ({ ...before, [field.name]: value }));
        return <ConfirmControl key={field.name} field={field} value={values[field.name]} onChange={onChange} />;
      })}
      <div className="flex flex-wrap gap-2">
        {needsSignIn && (
          <Link to="/connectors" className={buttonClasses('primary', 'small')}>
            {task.toConnectors}
          </Link>
        )}
        <Button
          size="small"
          look={needsSignIn ? 'secondary' : 'primary'}
          isBusy={deciding === 'yes'}
          disabled={deciding !== null}
          onClick={() => void decide(true)}
        >
          {needsSignIn ? task.signedIn : task.allow}
        </Button>
        <Button size="small" isBusy={deciding === 'no'} disabled={deciding !== null} onClick={() => void decide(false)}>
          {task.decline}
        </Button>
      </div>
      <p role="alert" className="text-sm text-bad empty:hidden">
        {isLeftOpen && task.notTaken}
      </p>
    </div>
  );
}

/** An action that needs a person's approval. */
export function ConfirmCard({ row, context }: { row: ConfirmRow; context: RowContext }) {
  const { task } = useText();
  const isOpen = row.outcome === 'open';
  const hasParams = Object.keys(row.params).length > 0;
  return (
    <article className={joinClasses('mt-4 rounded-lg border px-4 py-3', isOpen ? 'border-warn bg-warn-soft' : 'border-line')}>
      <h2 className={joinClasses('flex flex-wrap items-center gap-2 font-medium', isOpen ? 'text-warn' : 'text-sm text-soft')}>
        <ShieldQuestion aria-hidden className="size-4 shrink-0" />
        {task.confirmTitles[row.actionKind] ?? task.confirmAnything}
        {!isOpen && <span className="font-normal">· {task.outcome[row.outcome]}</span>}
      </h2>
      {hasParams ? <ConfirmParams params={row.params} /> : <p className="mt-1.5 text-sm wrap-anywhere">{row.description}</p>}
      {isOpen && context.actions !== null && <Decision row={row} actions={context.actions} />}
    </article>
  );
}
