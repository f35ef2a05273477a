import { memo } from 'react';
import { useText } from '../../text/locale.ts';
import type { ErrorRow, Row } from '../conversation/row.ts';
import { AgentMessage, DraftMessage, StoppedMessage } from './agent-row.tsx';
import { ConfirmCard } from './confirm-row.tsx';
import { EndMark, ErrorCard } from './end-row.tsx';
import { PendingMessage } from './pending-row.tsx';
import { QuestionCard } from './question-row.tsx';
import { RepeatMark } from './repeat-row.tsx';
import { ResultCard } from './result-row.tsx';
import type { RowContext } from './row-props.ts';
import { UserMessage } from './user-row.tsx';
import { WorkGroup } from './work-row.tsx';

interface ConversationRowProps {
  row: Row;
  context: RowContext;
  /** Whether nothing follows. */
  isLast?: boolean;
}

/** The card of a failure; its button sends a message, so that the task continues with what it has. */
function Failure({ row, context, isLast }: { row: ErrorRow; context: RowContext; isLast: boolean }) {
  const { tryAgainMessage } = useText().task;
  const { actions } = context;
  return <ErrorCard row={row} onAgain={actions && isLast ? () => actions.answer(tryAgainMessage) : null} />;
}

function chooseRow({ row, context, isLast = false }: ConversationRowProps) {
  switch (row.kind) {
    case 'user':
      return <UserMessage row={row} context={context} />;
    case 'pending':
      return <PendingMessage row={row} context={context} />;
    case 'agent':
      return <AgentMessage row={row} context={context} />;
    case 'draft':
      return <DraftMessage row={row} />;
    case 'stopped':
      return <StoppedMessage row={row} />;
    case 'work':
      return <WorkGroup row={row} context={context} />;
    case 'question':
      return <QuestionCard row={row} context={context} />;
    case 'confirm':
      return <ConfirmCard row={row} context={context} />;
    case 'error':
      return <Failure row={row} context={context} isLast={isLast} />;
    case 'end':
      return <EndMark row={row} isOwn={context.actions !== null} />;
    case 'repeat':
      return <RepeatMark row={row} />;
    case 'result':
      return <ResultCard row={row} />;
  }
}

/** One row of a conversation; rerendered only if it was replaced. */
export const ConversationRow = memo(chooseRow);
ConversationRow.displayName = 'ConversationRow';
