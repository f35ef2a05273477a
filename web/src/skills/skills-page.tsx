import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function SkillsPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.skills.title} />
    </Page>
  );
}
