import { Link, useLocation } from '@tanstack/react-router';
import { BrainCircuit } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { linkClasses } from '../ui/display/link.tsx';

/** The home page says it itself. */
const quietPages = ['/', '/instance/models'];

/** Says on every page that nobody has connected a language model, and where to do it. */
export function ModelNotice() {
  const text = useText().app.modelNotice;
  const { pathname } = useLocation();
  const instance = useSession().data?.instance;
  if (instance === undefined || instance.has_model || quietPages.includes(pathname)) return null;
  return (
    <p className="flex items-center gap-2 bg-warn-soft px-4 py-2 text-sm text-warn">
      <BrainCircuit aria-hidden className="size-4 shrink-0" />
      <span>
        {text.none}{' '}
        {instance.is_owner ? (
          <Link to="/instance/models" className={linkClasses}>
            {text.connect}
          </Link>
        ) : (
          text.askOwner
        )}
      </span>
    </p>
  );
}
