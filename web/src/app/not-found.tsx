import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';
import { Page, PageHeader } from '../ui/display/page.tsx';

export function NotFound() {
  const { app } = useText();
  return (
    <main>
      <Page>
        <PageHeader title={app.notFoundTitle} lead={app.notFoundBody} />
        <Link to="/" className={buttonClasses('primary')}>
          {app.goHome}
        </Link>
      </Page>
    </main>
  );
}
