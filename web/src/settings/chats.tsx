import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { chatsQuery } from '../api/settings-queries.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/controls/button.tsx';
import { RemovalDialog } from '../ui/dialogs/removal-dialog.tsx';
import { RowAction } from '../ui/controls/row-action.tsx';
import { SkeletonList } from '../ui/display/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/feedback/state.tsx';
import { Table } from '../ui/display/table.tsx';
import { Time } from '../ui/display/time.tsx';
import { LinkChatDialog } from './link-chat-dialog.tsx';
import { platformNames } from './platform-names.ts';
import { useRemoval } from '../ui/dialogs/use-removal.ts';

type Chat = WebResponse<'bridge.list'>['data'][number];

function ChatTable({ chats }: { chats: readonly Chat[] }) {
  const { settings } = useText();
  const unlinking = useRemoval(({ id }: Chat) => callWeb('bridge.unlink', { chat_id: id }), {
    changes: [keys.chats],
    describeDone: () => settings.chatUnlinked,
  });
  const columns = [
    {
      key: 'chat',
      title: settings.chat,
      render: ({ title, problem }: Chat) => (
        <>
          <span className="font-medium">{title}</span>
          {problem !== null && <p className="text-bad">{problem}</p>}
        </>
      ),
    },
    { key: 'platform', title: settings.platform, render: ({ platform }: Chat) => platformNames[platform] },
    { key: 'linked', title: settings.linked, render: (chat: Chat) => <Time ms={chat.created_at * 1000} /> },
    {
      key: 'actions',
      title: settings.actions,
      kind: 'action' as const,
      render: (chat: Chat) => <RowAction label={settings.unlink} name={chat.title} onClick={() => unlinking.ask(chat)} />,
    },
  ];
  return (
    <>
      <Table caption={settings.chats} columns={columns} rows={chats} keyOf={({ id }) => id} />
      <RemovalDialog removal={unlinking} titleOf={({ title }) => settings.unlinkTitle(title)} confirmLabel={settings.unlink}>
        {settings.unlinkBody}
      </RemovalDialog>
    </>
  );
}

/** Telegram and Slack chats linked to the account. */
export function Chats() {
  const { settings } = useText();
  const list = useQuery(chatsQuery);
  const [isLinking, setLinking] = useState(false);
  if (list.error) return <ErrorState error={list.error} onRetry={list.refetch} />;
  if (list.isPending) return <SkeletonList rows={2} />;
  const { data: chats, bots } = list.data;
  if (bots.length === 0) {
    return (
      <EmptyState icon={<MessagesSquare aria-hidden />} title={settings.noBots}>
        {settings.noBotsBody}
      </EmptyState>
    );
  }
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-soft">{settings.chatsLead}</p>
        <Button look="primary" onClick={() => setLinking(true)}>
          {settings.linkChat}
        </Button>
      </div>
      {chats.length === 0 && (
        <EmptyState icon={<MessagesSquare aria-hidden />} title={settings.noChats}>
          {settings.noChatsBody}
        </EmptyState>
      )}
      {chats.length > 0 && <ChatTable chats={chats} />}
      {isLinking && <LinkChatDialog onClose={() => setLinking(false)} />}
    </>
  );
}
