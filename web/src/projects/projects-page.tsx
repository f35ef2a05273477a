import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function ProjectsPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.projects.title} />
    </Page>
  );
}
