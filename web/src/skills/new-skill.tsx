import type { Request } from '@errand/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FileArchive, FolderUp } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { projectsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { Field } from '../ui/controls/field.tsx';
import { FormProblem, sortProblem } from '../ui/feedback/form-problem.tsx';
import { Select } from '../ui/controls/select.tsx';
import { TextArea } from '../ui/controls/text-area.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { packFolder, packZip } from './skill-package.ts';
import { NewButton } from '../ui/controls/new-button.tsx';
import { DialogActions } from '../ui/dialogs/dialog-actions.tsx';

type Package = Pick<Request<'skill.create'>, 'file_data' | 'content'>;

/** The owner of a skill, as the value of the select: `me`, `team`, or the id of a project. */
function readOwner(owner: string): Pick<Request<'skill.create'>, 'team' | 'project_id'> {
  if (owner === 'me') return {};
  return owner === 'team' ? { team: true } : { project_id: owner };
}

function useOwners() {
  const { skills } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  const team = useSession().data?.team ?? null;
  return [
    { value: 'me', label: skills.forMe },
    ...(team ? [{ value: 'team', label: skills.forTeam(team.name) }] : []),
    ...projects.map(({ id, name }) => ({ value: id, label: skills.forProject(name) })),
  ];
}

interface PickerProps {
  icon: ReactNode;
  label: string;
  isFolder?: boolean;
  disabled: boolean;
  onFiles(files: File[]): void;
}

function Picker({ icon, label, isFolder = false, disabled, onFiles }: PickerProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        {...(isFolder ? { webkitdirectory: '' } : { accept: '.zip,application/zip' })}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <Button disabled={disabled} onClick={() => input.current?.click()}>
        {icon}
        {label}
      </Button>
    </>
  );
}

interface SkillFieldsProps {
  content: string;
  isBusy: boolean;
  problem: string | null;
  onContent(content: string): void;
  onPackage(pack: () => Promise<Package>): void;
}

function SkillFields({ content, isBusy, problem, onContent, onPackage }: SkillFieldsProps) {
  const { skills } = useText();
  const bringFolder = (files: File[]) => files.length > 0 && onPackage(async () => ({ file_data: await packFolder(files) }));
  const bringZip = ([file]: File[]) => file && onPackage(async () => ({ file_data: await packZip(file) }));
  return (
    <>
      <div className="flex flex-wrap gap-2">
        <Picker
          icon={<FolderUp aria-hidden className="size-4" />}
          label={skills.folder}
          isFolder
          disabled={isBusy}
          onFiles={bringFolder}
        />
        <Picker icon={<FileArchive aria-hidden className="size-4" />} label={skills.zip} disabled={isBusy} onFiles={bringZip} />
      </div>
      <Field label={skills.text} hint={skills.textHint} problem={problem}>
        {(control) => (
          <TextArea
            {...control}
            spellCheck={false}
            className="max-h-80 min-h-36 font-mono text-sm"
            placeholder={skills.sample}
            value={content}
            onChange={(event) => onContent(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}

function useNewSkill(onDone: (projectId: string | undefined) => void) {
  const { skills } = useText();
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ owner, pack }: { owner: string; pack(): Promise<Package> }) =>
      errand.skill.create({ ...(await pack()), ...readOwner(owner) }),
    onSuccess: async ({ skill }, { owner }) => {
      await client.invalidateQueries({ queryKey: ['skills'] });
      showToast(skills.added(skill.name));
      onDone(readOwner(owner).project_id);
    },
  });
}

/** Adds a skill: a folder, a zip of one, or the text of a SKILL.md. */
export function NewSkill({ onBrought }: { onBrought(projectId: string | undefined): void }) {
  const text = useText();
  const { skills } = text;
  const owners = useOwners();
  const [isOpen, setOpen] = useState(false);
  const [owner, setOwner] = useState('me');
  const [content, setContent] = useState('');
  const create = useNewSkill((projectId) => {
    onBrought(projectId);
    setContent('');
    setOpen(false);
  });
  const close = () => {
    setOpen(false);
    create.reset();
  };
  const bring = (pack: () => Promise<Package>) => create.mutate({ owner, pack });
  const problems = sortProblem(create.error, ['content', 'file_data'], text);
  const actions = (
    <DialogActions
      onCancel={() => setOpen(false)}
      label={skills.add}
      disabled={content.trim() === ''}
      isBusy={create.isPending}
      onClick={() => bring(async () => ({ content }))}
    />
  );
  return (
    <>
      <NewButton label={skills.new} onClick={() => setOpen(true)} />
      <Dialog isOpen={isOpen} onClose={close} title={skills.new} lead={skills.newLead} actions={actions} isWide>
        <div className="flex flex-col gap-5">
          {owners.length > 1 && (
            <Field label={skills.owner}>
              {(control) => <Select {...control} className="max-w-80" value={owner} options={owners} onValueChange={setOwner} />}
            </Field>
          )}
          <SkillFields
            content={content}
            isBusy={create.isPending}
            problem={problems.of('content')}
            onContent={setContent}
            onPackage={bring}
          />
          <FormProblem problem={problems.of('file_data') ?? problems.rest} />
        </div>
      </Dialog>
    </>
  );
}
