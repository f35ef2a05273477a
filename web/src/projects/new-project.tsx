import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { type ProjectFacts, ProjectForm } from './project-form.tsx';

const formId = 'new-project';

/** The button that makes a project, with its form. */
export function NewProject() {
  const { projects, ui } = useText();
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
  const actions = (
    <>
      <Button onClick={() => setOpen(false)}>{ui.cancel}</Button>
      <Button look="primary" type="submit" form={formId} isBusy={create.isPending}>
        {projects.create}
      </Button>
    </>
  );
  return (
    <>
      <Button look="primary" onClick={() => setOpen(true)}>
        <Plus aria-hidden className="size-4" />
        {projects.new}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={projects.new} actions={actions} isWide guardsInput>
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
