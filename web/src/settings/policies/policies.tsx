import type { Policy } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../api/account-facts.ts';
import { policiesQuery } from '../../api/limit-queries.ts';
import { useSession } from '../../api/session.ts';
import { useText } from '../../text/locale.ts';
import { Field } from '../../ui/controls/field.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { SkeletonList } from '../../ui/display/skeleton.tsx';
import { ErrorState } from '../../ui/feedback/state.tsx';
import { PolicyForm } from './policy-form.tsx';

/** Rules of one project at a time, at first of one that has some. */
function ProjectPolicy({ policies: all }: { policies: readonly Policy[] }) {
  const { policies, app } = useText();
  const projects = useQuery(projectsQuery).data ?? [];
  const withRules = all.find(({ scope }) => scope === 'project')?.id;
  const [chosen, setChosen] = useState<string>();
  const project = projects.find(({ id }) => id === (chosen ?? withRules)) ?? projects[0];
  if (!project) return null;
  const rules = all.find(({ scope, id }) => scope === 'project' && id === project.id)?.rules ?? [];
  return (
    <>
      <Field label={policies.project} className="mb-4 max-w-80">
        {(control) => (
          <Select
            {...control}
            value={project.id}
            options={projects.map(({ id, name }) => ({ value: id, label: name || app.untitled }))}
            onValueChange={setChosen}
          />
        )}
      </Field>
      <PolicyForm
        key={`${project.id} ${JSON.stringify(rules)}`}
        scope="project"
        scopeId={project.id}
        title={policies.ofProject(project.name)}
        lead={policies.ofProjectLead}
        rules={rules}
        isEditable
      />
    </>
  );
}

/** The policies: calls that agents may make without asking, have to ask for, and may not make. */
export function Policies() {
  const { policies } = useText();
  const team = useSession().data?.team ?? null;
  const { data, error, refetch } = useQuery(policiesQuery);
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonList rows={2} className="h-24" />;
  const rulesOf = (wanted: Policy['scope']) => data.find(({ scope }) => scope === wanted)?.rules ?? [];
  return (
    <>
      <p className="mb-6 max-w-prose text-soft">{policies.lead}</p>
      <PolicyForm
        key={JSON.stringify(rulesOf('account'))}
        scope="account"
        title={policies.ofAccount}
        lead={policies.ofAccountLead}
        rules={rulesOf('account')}
        isEditable
      />
      {team && (
        <PolicyForm
          key={`team ${JSON.stringify(rulesOf('team'))}`}
          scope="team"
          title={policies.ofTeam(team.name)}
          lead={team.role === 'member' ? policies.ofTeamReadOnly : policies.ofTeamLead}
          rules={rulesOf('team')}
          isEditable={team.role !== 'member'}
        />
      )}
      <ProjectPolicy policies={data} />
    </>
  );
}
