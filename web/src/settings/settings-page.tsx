import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function SettingsPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.settings.title} />
    </Page>
  );
}
