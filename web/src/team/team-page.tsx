import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function TeamPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.team.title} />
    </Page>
  );
}
