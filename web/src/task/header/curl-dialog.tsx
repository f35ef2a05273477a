import { CodeBlock } from '../../markdown/code-block.tsx';
import { useText } from '../../text/locale.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { type CurlFacts, curlCommands } from './curl-commands.ts';

/** How to do with the API what this page does. */
export function CurlDialog({ facts, isOpen, onClose }: { facts: CurlFacts; isOpen: boolean; onClose(): void }) {
  const { task } = useText();
  const { create, send, follow } = curlCommands(facts);
  const parts = [
    [task.curlCreate, create],
    [task.curlSend, send],
    [task.curlFollow, follow],
  ] as const;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={task.asCurl} lead={task.curlLead} isWide>
      <div className="flex flex-col gap-5">
        {parts.map(([title, code]) => (
          <section key={title}>
            <h3 className="mb-1.5 text-sm font-medium">{title}</h3>
            <CodeBlock code={code} language="bash" />
          </section>
        ))}
      </div>
    </Dialog>
  );
}
