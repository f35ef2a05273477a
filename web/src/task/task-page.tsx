import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function TaskPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.task.title} />
    </Page>
  );
}
