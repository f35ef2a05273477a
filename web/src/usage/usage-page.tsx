import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function UsagePage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.usage.title} />
    </Page>
  );
}
