import type { Project } from '@errand/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { FolderKanban } from 'lucide-react';
import { projectsQuery } from '../api/account-facts.ts';
import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { EmptyState } from '../ui/feedback/state.tsx';
import { NewProject } from './new-project.tsx';
import { ListState } from '../ui/feedback/list-state.tsx';

function ProjectCard({ project }: { project: Project }) {
  const { projects } = useText();
  return (
    <li className="min-w-0">
      <Link
        to="/projects/$projectId"
        params={{ projectId: project.id }}
        className="flex h-full flex-col rounded-lg border border-line bg-card p-4 hover:border-accent"
      >
        <span className="truncate font-medium">{project.name}</span>
        <span className="mt-1 line-clamp-3 flex-1 text-sm whitespace-pre-line text-soft">
          {project.instruction || projects.noInstruction}
        </span>
        <span className="mt-3 text-xs text-soft">{projects.counts(project.connectors.length, project.skills.length)}</span>
      </Link>
    </li>
  );
}

/** All projects of the account. */
export function ProjectsPage() {
  const { projects } = useText();
  const list = useQuery(projectsQuery);
  const { data } = list;
  return (
    <Page>
      <PageHeader title={projects.title} lead={projects.lead} actions={<NewProject />} />
      <ListState list={list} rows={3} className="h-24">
        <EmptyState icon={<FolderKanban aria-hidden />} title={projects.emptyTitle}>
          {projects.emptyBody}
        </EmptyState>
      </ListState>
      {data && data.length > 0 && (
        <ul className="grid gap-3 sm:grid-cols-2">
          {data.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
    </Page>
  );
}
