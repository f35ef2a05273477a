import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function DevelopersPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.developers.title} />
    </Page>
  );
}
