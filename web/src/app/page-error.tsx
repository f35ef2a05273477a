import type { ErrorComponentProps } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';
import { ErrorState } from '../ui/feedback/state.tsx';

/** Replaces a page that failed to render, or whose code could not be loaded (as after an upgrade of the service). */
export function PageError({ error }: ErrorComponentProps) {
  const { app } = useText();
  return (
    <Page>
      <PageHeader title={app.crashTitle} lead={app.crashBody} />
      <ErrorState error={error} />
      <Button look="primary" className="mt-4" onClick={() => window.location.reload()}>
        {app.reload}
      </Button>
    </Page>
  );
}
