import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function ConnectorsPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.connectors.title} />
    </Page>
  );
}
