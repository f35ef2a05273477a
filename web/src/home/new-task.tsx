import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useNavigate } from '@tanstack/react-router';
import { SlidersHorizontal } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { projectsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { profiles } from '../api/profiles.ts';
import { keys } from '../api/query-keys.ts';
import { useSession } from '../api/session.ts';
import { Composer } from '../composer/composer.tsx';
import type { OutgoingMessage } from '../composer/outgoing-message.ts';
import { newTaskDraft } from '../composer/use-draft.ts';
import { useText } from '../text/locale.ts';
import { DisclosureChip } from '../ui/controls/disclosure-chip.tsx';
import { Select } from '../ui/controls/select.tsx';
import { OptionsPanel, type OptionsProps } from './options-panel.tsx';
import { checkSchema, defaultOptions, type TaskOptions, toTaskRequest } from './task-options.ts';

function ProjectChoice({ options, onChange }: OptionsProps) {
  const { home } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  if (projects.length === 0) return null;
  const choices = [{ value: '', label: home.noProject }, ...projects.map(({ id, name }) => ({ value: id, label: name }))];
  return (
    <Select
      isQuiet
      aria-label={home.project}
      className="max-w-44"
      value={options.projectId}
      options={choices}
      onValueChange={(projectId) => onChange({ projectId, connectors: null, skills: [] })}
    />
  );
}

function ProfileChoice({ options, onChange }: OptionsProps) {
  const { home } = useText();
  // Free accounts always get the lightweight profile.
  const isFree = useSession().data?.account.plan === 'free';
  const choices = profiles.map((value) => ({ value, label: home.profiles[value] }));
  if (isFree) return null;
  return (
    <Select
      isQuiet
      aria-label={home.profile}
      value={options.profile}
      options={choices}
      onValueChange={(profile) => onChange({ profile })}
    />
  );
}

/** Focuses the field when the page is opened to write (`#new`). */
function useFocusWhenAsked() {
  const field = useRef<HTMLTextAreaElement>(null);
  const visit = useLocation({ select: ({ hash, state }) => (hash === 'new' ? (state.key ?? hash) : null) });
  useEffect(() => {
    if (visit !== null) field.current?.focus();
  }, [visit]);
  return field;
}

/** The composer of new tasks with all its options. */
export function NewTask({ projectId }: { projectId: string | undefined }) {
  const { home } = useText();
  const navigate = useNavigate();
  const client = useQueryClient();
  const panelId = useId();
  const field = useFocusWhenAsked();
  const [isOpen, setOpen] = useState(false);
  const [options, setOptions] = useState<TaskOptions>({ ...defaultOptions, projectId: projectId ?? '' });
  const change = (facts: Partial<TaskOptions>) => setOptions((known) => ({ ...known, ...facts }));
  const problem = checkSchema(options.schema);
  const create = async (message: OutgoingMessage) => {
    const { task_id: taskId } = await errand.task.create(toTaskRequest(message, options));
    void client.invalidateQueries({ queryKey: keys.tasks });
    // Not awaited: the message is sent, however long the task's page takes to load.
    void navigate({ to: '/app/$taskId', params: { taskId } });
  };
  const tools = (
    <>
      <ProjectChoice options={options} onChange={change} />
      <ProfileChoice options={options} onChange={change} />
      <DisclosureChip
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
        controls={panelId}
        icon={<SlidersHorizontal aria-hidden />}
      >
        {home.options}
      </DisclosureChip>
    </>
  );
  return (
    <Composer
      ref={field}
      label={home.message}
      placeholder={home.placeholder}
      sendLabel={home.start}
      draftKey={newTaskDraft}
      onSend={create}
      problem={problem && home.schemaProblems[problem]}
      isProblemBelow={isOpen}
      tools={tools}
      minRows={3}
    >
      {isOpen && <OptionsPanel id={panelId} options={options} onChange={change} />}
    </Composer>
  );
}
