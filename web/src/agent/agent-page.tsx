import { useText } from '../text/locale.ts';
import { Page, PageHeader } from '../ui/page.tsx';

export function AgentPage() {
  const text = useText();
  return (
    <Page>
      <PageHeader title={text.agent.title} />
    </Page>
  );
}
