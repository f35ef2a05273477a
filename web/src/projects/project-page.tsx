import type { Project } from '@errand/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { NotebookText, SquarePen } from 'lucide-react';
import { projectsQuery } from '../api/account-facts.ts';
import { errand } from '../api/errand.ts';
import { keys } from '../api/query-keys.ts';
import { BrandEditor } from '../brands/brand-editor.tsx';
import { useTaskList } from '../task-list/use-task-list.ts';
import { useText } from '../text/locale.ts';
import { BackLink } from '../ui/display/back-link.tsx';
import { Button, buttonClasses } from '../ui/controls/button.tsx';
import { CopyButton } from '../ui/feedback/copy-button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { MissingItem } from '../ui/feedback/missing-page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';
import { showToast } from '../ui/feedback/toast.tsx';
import { ProjectTasks } from './project-tasks.tsx';
import { type ProjectFacts, ProjectForm } from './project-form.tsx';

const formId = 'project';
/** How often a page looks whether a setup script has ended. */
const settingUpMs = 2000;

function isSettingUp({ setup }: Project): boolean {
  return setup.status === 'running';
}

function Editor({ project }: { project: Project }) {
  const { projects, brands, ui } = useText();
  const client = useQueryClient();
  const tasks = useTaskList({ project_id: project.id });
  const save = useMutation({
    mutationFn: (facts: ProjectFacts) => errand.project.update({ project_id: project.id, ...facts }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: keys.projects });
      showToast(projects.saved);
    },
  });
  // The settings below do not move when the tasks arrive.
  if (tasks.isPending) return <SkeletonList rows={3} className="h-24" />;
  const actions = (
    <>
      <Link to="/memory" search={{ scope: 'project', id: project.id }} className={buttonClasses()}>
        <NotebookText aria-hidden className="size-4" />
        {projects.memoryLink}
      </Link>
      <Link to="/" search={{ project: project.id }} hash="new" className={buttonClasses('primary')}>
        <SquarePen aria-hidden className="size-4" />
        {projects.startTask}
      </Link>
    </>
  );
  return (
    <>
      <BackLink to="/projects">{projects.title}</BackLink>
      <PageHeader title={project.name} lead={projects.lead} actions={actions} />
      <ProjectTasks projectId={project.id} tasks={tasks.items} />
      <h2 className="font-medium">{projects.settings}</h2>
      <p className="mt-1 mb-5 text-sm text-soft">{projects.changesLead}</p>
      <ProjectForm
        key={project.id}
        formId={formId}
        project={project}
        isBusy={save.isPending}
        error={save.error}
        onSubmit={(facts) => save.mutate(facts)}
      />
      <div className="mt-6 flex flex-wrap items-center justify-between gap-4">
        <Button look="primary" type="submit" form={formId} isBusy={save.isPending}>
          {ui.save}
        </Button>
        <span className="flex items-center gap-1 font-mono text-xs text-soft">
          {project.id}
          <CopyButton text={project.id} label={projects.copyId} />
        </span>
      </div>
      <div className="mt-12">
        <h2 className="mb-4 text-xl font-semibold tracking-tight">{brands.title}</h2>
        <BrandEditor key={project.id} place={{ scope: 'project', id: project.id }} />
      </div>
    </>
  );
}

/** One project: its settings, and a link to its tasks. */
export function ProjectPage() {
  const { projects } = useText();
  const { projectId } = useParams({ strict: false });
  const { data, error, refetch } = useQuery({
    ...projectsQuery,
    refetchInterval: ({ state }) => (state.data?.some(isSettingUp) === true ? settingUpMs : false),
  });
  const project = data?.find(({ id }) => id === projectId);
  return (
    <Page>
      {error && <ErrorState error={error} onRetry={refetch} />}
      {!error && data === undefined && <SkeletonList rows={3} className="h-24" />}
      {data && !project && <MissingItem to="/projects" list={projects.title} />}
      {project && <Editor project={project} />}
    </Page>
  );
}
