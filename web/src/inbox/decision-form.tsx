import type { InboxItem, Request } from '@errand/client';
import { Link } from '@tanstack/react-router';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { parseQuestion } from '../task/conversation/question.ts';
import { ConfirmControl } from '../task/rows/confirm-field.tsx';
import { readConfirmFields } from '../task/rows/confirm-fields.ts';
import { useText } from '../text/locale.ts';
import { Button, buttonClasses } from '../ui/controls/button.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { textOf } from './item-texts.ts';

/** What is decided, without the item. */
export type Decision = Omit<Request<'inbox.decide'>, 'id'>;

const longestNote = 2_000;

interface FormProps {
  isBusy: boolean;
  onDecide(decision: Decision): void;
}

/** Focuses a field that takes the place of its button, which had the focus. */
const focusField = (field: HTMLInputElement | null) => field?.focus();

interface NoteProps {
  /** Null without a field. */
  note: string | null;
  onChange(note: string): void;
}

/** Opens the field of the note. */
function NoteButton({ note, onChange }: NoteProps) {
  const { inbox } = useText();
  if (note !== null) return null;
  return (
    <Button size="small" look="quiet" className="text-soft" onClick={() => onChange('')}>
      {inbox.addNote}
    </Button>
  );
}

/** An optional field for why something was decided. */
function NoteField({ note, onChange }: NoteProps) {
  const { inbox } = useText();
  if (note === null) return null;
  return (
    <TextField
      label={inbox.note}
      hint={inbox.noteHint}
      isOptional
      ref={focusField}
      maxLength={longestNote}
      value={note}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** Adds a note to what the fields and buttons decide. */
function useNote(): { field: ReactNode; button: ReactNode; noted: Pick<Decision, 'note'> } {
  const [note, setNote] = useState<string | null>(null);
  const props = { note, onChange: setNote };
  return { field: <NoteField {...props} />, button: <NoteButton {...props} />, noted: note ? { note } : {} };
}

/** Takes an answer: one of those that the agent suggests, or a text. */
function AnswerForm({ item, isBusy, onDecide }: FormProps & { item: InboxItem }) {
  const { inbox } = useText();
  const [answer, setAnswer] = useState('');
  const { field, button, noted } = useNote();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onDecide({ answer: answer.trim(), ...noted });
  };
  return (
    <form onSubmit={submit} className="mt-3 flex flex-col gap-3">
      <div className="flex flex-wrap gap-2 empty:hidden">
        {parseQuestion(item.text).suggestions.map((suggestion) => (
          <Button
            key={suggestion}
            size="small"
            isWrapping
            disabled={isBusy}
            onClick={() => onDecide({ answer: suggestion, ...noted })}
          >
            {suggestion}
          </Button>
        ))}
      </div>
      <Field label={inbox.answer}>
        {(control) => <TextArea {...control} required value={answer} onChange={(event) => setAnswer(event.target.value)} />}
      </Field>
      {field}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" look="primary" isBusy={isBusy} disabled={answer.trim() === ''}>
          {inbox.send}
        </Button>
        {button}
      </div>
    </form>
  );
}

/** Accepting or declining, with the fields that the item asks for. */
function ChoiceForm({ item, isBusy, onDecide }: FormProps & { item: InboxItem }) {
  const { inbox } = useText();
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [hint, setHint] = useState('');
  const { field, button, noted } = useNote();
  const [accept, decline] = textOf(inbox.choices, item.type);
  const [isFailure, isSignIn] = [item.type === 'failure', item.type === 'sign_in'];
  const decide = (isYes: boolean) => {
    const input = item.input_schema === undefined ? {} : { input: values };
    onDecide({ accept: isYes, ...input, ...(isYes && hint.trim() !== '' && { answer: hint.trim() }), ...noted });
  };
  return (
    <div className="mt-3 flex flex-col gap-3">
      {readConfirmFields(item.input_schema ?? {}).map((one) => {
        const onChange = (value: unknown) => setValues((before) => ({ ...before, [one.name]: value }));
        return <ConfirmControl key={one.name} field={one} value={values[one.name]} onChange={onChange} />;
      })}
      {isFailure && (
        <TextField
          label={inbox.hint}
          hint={inbox.hintHint}
          isOptional
          value={hint}
          onChange={(event) => setHint(event.target.value)}
        />
      )}
      {field}
      <div className="flex flex-wrap gap-2">
        {isSignIn && (
          <Link to="/connectors" className={buttonClasses('primary', 'small')}>
            {inbox.toConnectors}
          </Link>
        )}
        <Button size="small" look={isSignIn ? 'secondary' : 'primary'} isBusy={isBusy} onClick={() => decide(true)}>
          {accept}
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => decide(false)}>
          {decline}
        </Button>
        {button}
      </div>
    </div>
  );
}

/** Decides an item in place. */
export function DecisionForm({ item, ...form }: FormProps & { item: InboxItem }) {
  return item.type === 'question' ? <AnswerForm item={item} {...form} /> : <ChoiceForm item={item} {...form} />;
}
