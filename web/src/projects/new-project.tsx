import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { type ProjectFacts, ProjectForm } from './project-form.tsx';
import { NewButton } from '../ui/controls/new-button.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

const formId = 'new-project';

/** The button that makes a project, with its form. */
export function NewProject() {
  const { projects } = useText();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const create = useMutation({
    mutationFn: (facts: ProjectFacts) => errand.project.create(facts),
    onSuccess: async ({ project }) => {
      await client.invalidateQueries({ queryKey: keys.projects });
      await navigate({ to: '/projects/$projectId', params: { projectId: project.id } });
    },
  });
  const close = () => setOpen(false);
  const actions = (
    <DialogActions onCancel={close} label={projects.create} type="submit" form={formId} isBusy={create.isPending} />
  );
  return (
    <>
      <NewButton label={projects.new} onClick={() => setOpen(true)} />
      <Dialog isOpen={isOpen} onClose={close} title={projects.new} actions={actions} isWide guardsInput>
        <ProjectForm
          formId={formId}
          project={null}
          isBusy={create.isPending}
          error={create.error}
          onSubmit={(facts) => create.mutate(facts)}
        />
      </Dialog>
    </>
  );
}
