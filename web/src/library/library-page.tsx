import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function LibraryPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.library.title} />
    </Page>
  );
}
