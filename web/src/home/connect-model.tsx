import { Link } from '@tanstack/react-router';
import { BrainCircuit } from 'lucide-react';
import { useSession } from '../api/session.ts';
import { useText } from '../text/locale.ts';
import { buttonClasses } from '../ui/controls/button.tsx';

/** The first step on a new instance: without a language model, nothing can be done. */
export function ConnectModel() {
  const { app, home } = useText();
  const instance = useSession().data?.instance;
  if (instance === undefined || instance.has_model) return null;
  return (
    <section
      aria-labelledby="connect-model"
      className="mt-6 flex flex-wrap items-center gap-4 rounded-lg border border-accent bg-accent-soft p-4"
    >
      <BrainCircuit aria-hidden className="size-6 shrink-0 text-accent" />
      <div className="min-w-0 flex-1 basis-64">
        <h2 id="connect-model" className="font-medium">
          {app.modelNotice.none}
        </h2>
        <p className="mt-0.5 text-sm text-soft">{instance.is_owner ? home.connectLead : app.modelNotice.askOwner}</p>
      </div>
      {instance.is_owner && (
        <Link to="/instance/models" className={buttonClasses('primary')}>
          {app.modelNotice.connect}
        </Link>
      )}
    </section>
  );
}
