import { type SubmitEvent, useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { Field } from '../../ui/controls/field.tsx';
import { TextArea } from '../../ui/controls/text-area.tsx';
import { ConfirmDialog } from '../../ui/dialogs/confirm-dialog.tsx';
import { TabPanel, Tabs } from '../../ui/display/tabs.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { AnswerView } from './answer-view.tsx';
import type { Api, ApiOperation, JsonObject } from './api-document.ts';
import { CredentialField, credentialOf, recallChoice } from './credential-field.tsx';
import { readJson } from './form-input.ts';
import { InputForm } from './input-form.tsx';
import { problemOf } from './send-request.ts';
import { useSending } from './use-sending.ts';

const modes = ['form', 'json'] as const;

interface JsonInputProps {
  value: JsonObject;
  onChange(value: JsonObject): void;
}

function JsonInput({ value, onChange }: JsonInputProps) {
  const { reference: text } = useText();
  const [typed, setTyped] = useState(() => JSON.stringify(value, null, 2));
  const wrong = readJson(typed) === null ? text.notAnObject : '';
  const change = (next: string) => {
    setTyped(next);
    const read = readJson(next);
    if (read !== null) onChange(read);
  };
  return (
    <Field label={text.json} problem={wrong}>
      {(control) => (
        <TextArea
          {...control}
          // A form with what cannot be read is not sent.
          ref={(area) => area?.setCustomValidity(wrong)}
          value={typed}
          onChange={(event) => change(event.target.value)}
          autoComplete="off"
          spellCheck={false}
          className="min-h-40 font-mono text-sm"
        />
      )}
    </Field>
  );
}

interface EffectQuestionProps {
  operation: ApiOperation;
  isOpen: boolean;
  onClose(): void;
  onConfirm(): void;
}

/** Asks before a request that deletes, replaces, or costs something. The answer to the request appears on the page. */
function EffectQuestion({ operation: { id, effect }, isOpen, onClose, onConfirm }: EffectQuestionProps) {
  const { reference: text } = useText();
  return (
    <ConfirmDialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.confirmTitle(id)}
      confirmLabel={text.send}
      isDangerous={effect === 'deletes'}
      onConfirm={() => Promise.resolve(onConfirm())}
    >
      {effect !== null && text.effectBodies[effect]}
    </ConfirmDialog>
  );
}

export interface TryOutProps {
  api: Api;
  operation: ApiOperation;
  /** The request that is filled in, which the samples show too. */
  value: JsonObject;
  onChange(value: JsonObject): void;
}

/** Sends the operation to this service, with the sign-in or a key of the person, and shows the answer. */
export function TryOut({ api, operation, value, onChange }: TryOutProps) {
  const { reference: text, task } = useText();
  const [mode, setMode] = useState<(typeof modes)[number]>('form');
  const [choice, setChoice] = useState(recallChoice);
  const [isAsked, setAsked] = useState(false);
  const { answer, error, isBusy, send, stop } = useSending(operation);
  const credential = credentialOf(operation, choice);
  const problem = answer?.isComplete === true ? problemOf(answer) : null;
  const first = new Set([...(operation.input.required ?? []), ...Object.keys(operation.sample)]);
  const hasInput = Object.keys(operation.input.properties ?? {}).length > 0;
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (credential === null || isBusy) return;
    if (operation.effect === null) void send(value, credential);
    else setAsked(true);
  };
  const form = { api, value, onChange, problem };
  return (
    <div className="flex flex-col gap-5">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <CredentialField operation={operation} choice={choice} onChange={setChoice} />
        {hasInput && (
          <Tabs
            label={text.inputAs}
            value={mode}
            onValueChange={(chosen) => setMode(chosen)}
            tabs={modes.map((one) => ({ value: one, label: text[one] }))}
          >
            <TabPanel value="form">
              <InputForm {...form} schema={operation.input} first={first} />
            </TabPanel>
            <TabPanel value="json">
              <JsonInput value={value} onChange={onChange} />
            </TabPanel>
          </Tabs>
        )}
        <div className="flex gap-2">
          <Button type="submit" look="primary" isBusy={isBusy}>
            {text.send}
          </Button>
          {isBusy && <Button onClick={stop}>{task.stop}</Button>}
        </div>
      </form>
      {error !== null && <ErrorState error={error} />}
      {answer && <AnswerView answer={answer} />}
      <EffectQuestion
        operation={operation}
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        onConfirm={() => credential !== null && void send(value, credential)}
      />
    </div>
  );
}
