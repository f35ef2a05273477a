import type { Project, Skill } from '@errand/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Sparkles, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { projectsQuery, skillsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/display/card.tsx';
import { ConfirmDialog } from '../ui/dialogs/confirm-dialog.tsx';
import { IconButton } from '../ui/controls/icon-button.tsx';
import { linkClasses } from '../ui/display/link.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { Select } from '../ui/controls/select.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { Time } from '../ui/display/time.tsx';
import { NewSkill } from './new-skill.tsx';
import { SkillDialog } from './skill-dialog.tsx';

const kinds = ['personal', 'team', 'project', 'official'] as const;

function DeleteSkill({ skill }: { skill: Skill }) {
  const { skills, ui } = useText();
  const client = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    await errand.skill.delete({ skill_id: skill.id });
    await client.invalidateQueries({ queryKey: ['skills'] });
  };
  return (
    <>
      <IconButton label={skills.deleteOne(skill.name)} icon={<Trash2 aria-hidden />} onClick={() => setOpen(true)} />
      <ConfirmDialog
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        title={skills.deleteOne(skill.name)}
        confirmLabel={ui.delete}
        isDangerous
        onConfirm={remove}
      >
        {skills.deleteBody}
      </ConfirmDialog>
    </>
  );
}

interface SkillRowProps {
  skill: Skill;
  isOwn: boolean;
  onRead(): void;
}

function SkillRow({ skill, isOwn, onRead }: SkillRowProps) {
  const { skills } = useText();
  return (
    <li className="flex items-start gap-4 border-b border-line py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <h3>
          <button
            type="button"
            aria-label={skills.readOne(skill.name)}
            className={`min-h-6 text-left font-medium wrap-anywhere ${linkClasses}`}
            onClick={onRead}
          >
            {skill.name}
          </button>
        </h3>
        <p className="mt-0.5 text-sm wrap-anywhere text-soft">{skill.description}</p>
        {skill.owner_type !== 'official' && (
          <p className="mt-1 text-xs text-soft">
            {skills.addedBy(skill.creator_info.name)} <Time ms={skill.updated_at * 1000} />
          </p>
        )}
      </div>
      {isOwn && <DeleteSkill skill={skill} />}
    </li>
  );
}

interface ProjectChoiceProps {
  projects: readonly Project[];
  projectId: string | undefined;
  onChange(projectId: string | undefined): void;
}

/** The project whose skills are shown too; nothing if there are no projects. */
function ProjectChoice({ projects, projectId, onChange }: ProjectChoiceProps) {
  const { skills } = useText();
  if (projects.length === 0) return null;
  const options = [
    { value: '', label: skills.withoutProject },
    ...projects.map(({ id, name }) => ({ value: id, label: skills.withProject(name) })),
  ];
  return (
    <Select
      isQuiet
      aria-label={skills.projectChoice}
      className="-mt-2 mb-6 -ml-2.5 max-w-full"
      value={projectId ?? ''}
      options={options}
      onValueChange={(id) => onChange(id === '' ? undefined : id)}
    />
  );
}

/** The skills that tasks may use, grouped by owner. */
export function SkillsPage() {
  const { skills } = useText();
  const accountId = useSession().data?.account.id;
  const [projectId, setProjectId] = useState<string>();
  const [read, setRead] = useState<Skill | null>(null);
  const projects = useQuery(projectsQuery);
  const { data: found, error, refetch } = useQuery(skillsQuery(projectId));
  // Both at once, to avoid layout shifts.
  const data = projects.isPending ? undefined : found;
  const byKind = kinds.map((kind) => ({ kind, list: data?.filter((skill) => skill.owner_type === kind) ?? [] }));
  return (
    <Page>
      <PageHeader title={skills.title} lead={skills.lead} actions={<NewSkill onBrought={setProjectId} />} />
      <ProjectChoice projects={projects.data ?? []} projectId={projectId} onChange={setProjectId} />
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList className="h-16" />}
      {data?.every(({ owner_type: owner }) => owner === 'official') === true && (
        <div className="mb-10">
          <EmptyState icon={<Sparkles aria-hidden />} title={skills.emptyTitle}>
            {skills.emptyBody}
          </EmptyState>
        </div>
      )}
      {byKind.map(
        ({ kind, list }) =>
          list.length > 0 && (
            <Section key={kind} title={skills.kinds[kind]}>
              <ul className="rounded-lg border border-line bg-card px-4">
                {list.map((skill) => (
                  <SkillRow
                    key={skill.id}
                    skill={skill}
                    isOwn={kind !== 'official' && skill.creator_info.user_id === accountId}
                    onRead={() => setRead(skill)}
                  />
                ))}
              </ul>
            </Section>
          ),
      )}
      {read && <SkillDialog skill={read} projectId={projectId} onClose={() => setRead(null)} />}
    </Page>
  );
}
