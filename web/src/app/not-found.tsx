import { Link } from '@tanstack/react-router';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';
import { MissingPage } from '../ui/feedback/missing-page.tsx';

export function NotFound() {
  const { app } = useText();
  return (
    <main>
      <MissingPage title={app.notFoundTitle} lead={app.notFoundBody}>
        <Link to="/" className={buttonClasses('primary')}>
          {app.goHome}
        </Link>
      </MissingPage>
    </main>
  );
}
