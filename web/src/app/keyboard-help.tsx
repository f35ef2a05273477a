import { useText } from '../text/locale.ts';
import { Dialog } from '../ui/dialogs/dialog.tsx';
import { commandKey, Kbd } from '../ui/display/kbd.tsx';
import { Switch } from '../ui/controls/switch.tsx';
import { setSingleKeys, useSingleKeys } from '../ui/controls/single-keys.ts';

/** The list of keyboard shortcuts. */
export function KeyboardHelp({ onClose }: { onClose(): void }) {
  const { app } = useText();
  const isOn = useSingleKeys();
  const rows: [string[], string][] = [
    [[commandKey, 'K'], app.keys.palette],
    [['↵'], app.keys.send],
    [['⇧', '↵'], app.keys.newLine],
    [['N'], app.newTask],
    [['J'], app.keys.next],
    [['K'], app.keys.previous],
    [['/'], app.keys.message],
    [['E'], app.keys.steps],
    [[commandKey, '.'], app.keys.stop],
    [['Home'], app.keys.beginning],
    [['End'], app.keys.end],
    [['['], app.keys.sidebar],
    [['?'], app.keys.help],
    [['Esc'], app.keys.close],
  ];
  return (
    <Dialog isOpen onClose={onClose} title={app.keys.title}>
      <dl className="mb-5">
        {rows.map(([keys, action]) => (
          <div key={action} className="flex items-center justify-between gap-4 border-b border-line py-2 text-sm">
            <dt>{action}</dt>
            <dd>
              <Kbd keys={keys} />
            </dd>
          </div>
        ))}
      </dl>
      <Switch label={app.keys.single} hint={app.keys.singleHint} isOn={isOn} onChange={setSingleKeys} />
    </Dialog>
  );
}
