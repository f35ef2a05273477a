import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function SharePage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.share.title} />
    </Page>
  );
}
