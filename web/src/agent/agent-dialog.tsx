import type { Agent } from '@errand/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Field, TextField } from '../ui/controls/field.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

const formId = 'agent';
const longest = { nickname: 100, about: 2_000 };

/** Edits the agent's name and description. */
export function AgentDialog({ agent, onClose }: { agent: Agent; onClose(): void }) {
  const text = useText();
  const client = useQueryClient();
  const [nickname, setNickname] = useState(agent.nickname);
  const [about, setAbout] = useState(agent.about);
  const save = useMutation({
    mutationFn: () => errand.agent.update({ agent_id: agent.id, nickname, about }),
    onSuccess: (answer) => {
      client.setQueryData(keys.agents, answer.agent);
      onClose();
    },
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    save.mutate();
  };
  const problems = sortProblem(save.error, ['nickname', 'about'], text);
  const actions = <DialogActions onCancel={onClose} label={text.ui.save} type="submit" form={formId} isBusy={save.isPending} />;
  return (
    <Dialog isOpen onClose={onClose} title={text.agent.edit} actions={actions} guardsInput>
      <form id={formId} onSubmit={submit} className="flex flex-col gap-5">
        <TextField
          label={text.agent.nickname}
          required
          maxLength={longest.nickname}
          value={nickname}
          problem={problems.of('nickname')}
          onChange={(event) => setNickname(event.target.value)}
        />
        <Field label={text.agent.about} hint={text.agent.aboutHint} problem={problems.of('about')} isOptional>
          {(control) => (
            <TextArea
              {...control}
              className="min-h-28"
              maxLength={longest.about}
              value={about}
              onChange={(event) => setAbout(event.target.value)}
            />
          )}
        </Field>
        <FormProblem problem={problems.rest} />
      </form>
    </Dialog>
  );
}
