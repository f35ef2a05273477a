import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ChangeEvent, type SubmitEvent, useRef, useState } from 'react';
import { errand } from '../../api/errand.ts';
import { keys } from '../../api/query-keys.ts';
import { useText } from '../../text/locale.ts';
import { Button } from '../../ui/controls/button.tsx';
import { TextField } from '../../ui/controls/field.tsx';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { DialogActions } from '../../ui/dialogs/dialog-actions.tsx';
import { FormProblem, sortProblem } from '../../ui/feedback/form-problem.tsx';
import { showToast } from '../../ui/feedback/toast.tsx';
import { type ApiDraft, type DescribedApi, type DocumentPlace, draftOf, namePlace, requestOf } from './api-draft.ts';
import { ApiFields } from './api-fields.tsx';

const formId = 'new-api';
const fields = ['name', 'base_url', 'sign_in', 'operations'];

interface PlaceFieldProps {
  place: DocumentPlace;
  problem: string | null;
  onChange(place: DocumentPlace): void;
}

/** Where the document is: a URL, or a file of this computer. */
function PlaceField({ place, problem, onChange }: PlaceFieldProps) {
  const { connectors } = useText();
  const input = useRef<HTMLInputElement>(null);
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.target.files ?? [];
    if (file) onChange({ url: '', file: { name: file.name, text: await file.text() } });
  };
  return (
    <div className="flex flex-col gap-2">
      <TextField
        label={connectors.apis.document}
        hint={connectors.apis.documentHint}
        type="url"
        required={!place.file}
        placeholder="https://api.example.com/openapi.json"
        value={place.url}
        problem={problem}
        onChange={(event) => onChange({ url: event.target.value, file: null })}
      />
      <div className="flex flex-wrap items-center gap-3">
        <Button size="small" onClick={() => input.current?.click()}>
          {connectors.apis.chooseFile}
        </Button>
        {place.file && <span className="text-sm wrap-anywhere text-soft">{place.file.name}</span>}
      </div>
      <input
        ref={input}
        type="file"
        accept=".json,.yaml,.yml"
        className="hidden"
        aria-label={connectors.apis.chooseFile}
        onChange={(event) => void read(event)}
      />
    </div>
  );
}

/** Connects an HTTP API: first its document is read, then operations and sign-in are chosen. */
export function NewApi({ onClose }: { onClose(): void }) {
  const text = useText();
  const { connectors } = text;
  const client = useQueryClient();
  const [place, setPlace] = useState<DocumentPlace>({ url: '', file: null });
  const [known, setKnown] = useState<{ api: DescribedApi; draft: ApiDraft } | null>(null);
  const look = useMutation({
    mutationFn: () => errand.connector.readApi(namePlace(place)),
    onSuccess: (api) => setKnown({ api, draft: draftOf(api) }),
  });
  const create = useMutation({
    mutationFn: (draft: ApiDraft) => errand.connector.createApi(requestOf(place, draft)),
    onSuccess: async ({ connector }) => {
      await client.invalidateQueries({ queryKey: keys.connectors });
      showToast(connectors.added(connector.name));
      onClose();
    },
  });
  const move = (to: DocumentPlace) => {
    look.reset();
    create.reset();
    setKnown(null);
    setPlace(to);
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (known) create.mutate(known.draft);
    else look.mutate();
  };
  const unread = sortProblem(look.error, ['document', 'document_url'], text);
  const problems = sortProblem(create.error, fields, text);
  const actions = (
    <DialogActions
      onCancel={onClose}
      label={known ? connectors.connect : connectors.apis.read}
      type="submit"
      form={formId}
      isBusy={look.isPending || create.isPending}
    />
  );
  return (
    <Dialog isOpen isWide guardsInput onClose={onClose} title={connectors.apis.new} lead={connectors.apis.lead} actions={actions}>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <PlaceField place={place} problem={unread.of('document') ?? unread.of('document_url') ?? unread.rest} onChange={move} />
        {known && (
          <ApiFields
            {...known}
            problems={problems}
            onChange={(part) => setKnown({ ...known, draft: { ...known.draft, ...part } })}
          />
        )}
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
