import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function HomePage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.home.title} />
    </Page>
  );
}
