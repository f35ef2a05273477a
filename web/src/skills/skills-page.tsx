import type { Skill } from '@errand/client';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Sparkles, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { skillsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { Section } from '../ui/card.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';
import { IconButton } from '../ui/icon-button.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { SkeletonList } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/state.tsx';
import { Time } from '../ui/time.tsx';
import { NewSkill } from './new-skill.tsx';

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

function SkillRow({ skill, isOwn }: { skill: Skill; isOwn: boolean }) {
  const { skills } = useText();
  return (
    <li className="flex items-start gap-4 border-b border-line py-3 last:border-0">
      <div className="min-w-0 flex-1">
        <p className="font-medium wrap-anywhere">{skill.name}</p>
        <p className="mt-0.5 text-sm wrap-anywhere text-soft">{skill.description}</p>
        {skill.owner_type !== 'official' && (
          <p className="mt-1 text-xs text-soft">
            {skills.broughtBy(skill.creator_info.name)} <Time ms={skill.updated_at * 1000} />
          </p>
        )}
      </div>
      {isOwn && <DeleteSkill skill={skill} />}
    </li>
  );
}

/** The skills that tasks may use, by whose they are. */
export function SkillsPage() {
  const { skills } = useText();
  const accountId = useSession().data?.account.id;
  const { data, error, refetch } = useQuery(skillsQuery());
  const byKind = kinds.map((kind) => ({ kind, list: data?.filter((skill) => skill.owner_type === kind) ?? [] }));
  return (
    <Page>
      <PageHeader title={skills.title} lead={skills.lead} actions={<NewSkill />} />
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
                  />
                ))}
              </ul>
            </Section>
          ),
      )}
    </Page>
  );
}
