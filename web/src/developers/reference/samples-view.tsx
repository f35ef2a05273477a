import { useState } from 'react';
import { CodeBlock } from '../../markdown/code-block.tsx';
import { useText } from '../../text/locale.ts';
import { TabPanel, Tabs } from '../../ui/display/tabs.tsx';
import type { Api, ApiOperation, JsonObject } from './api-document.ts';
import { hideSecrets } from './secret-fields.ts';
import { kindsFor, type SampleKind, writeSample } from './samples.ts';

/** The language is kept from one operation to the next. */
let lastKind: SampleKind = 'curl';

/** Programs that make the request that is filled in. */
export function SamplesView({ api, operation, input }: { api: Api; operation: ApiOperation; input: JsonObject }) {
  const { reference: text } = useText();
  const kinds = kindsFor(operation);
  const [chosen, setChosen] = useState(lastKind);
  const shown = kinds.find(({ kind }) => kind === chosen) ?? kinds[0];
  if (!shown) return null;
  const choose = (kind: SampleKind) => {
    lastKind = kind;
    setChosen(kind);
  };
  const shownInput = hideSecrets(api, operation.input, input);
  const code = writeSample(shown.kind, { operation, input: shownInput, origin: window.location.origin });
  return (
    <Tabs
      label={text.samples}
      value={shown.kind}
      onValueChange={choose}
      tabs={kinds.map(({ kind, label }) => ({ value: kind, label }))}
    >
      <TabPanel value={shown.kind} className="pt-3">
        <CodeBlock code={code} language={shown.language} />
      </TabPanel>
    </Tabs>
  );
}
