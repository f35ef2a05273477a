import { useQuery } from '@tanstack/react-query';
import { MessagesSquare } from 'lucide-react';
import { useState } from 'react';
import { keys } from '../api/query-keys.ts';
import { chatsQuery } from '../api/settings-queries.ts';
import { callWeb, type WebResponse } from '../api/web-call.ts';
import { useText } from '../text/locale.ts';
import { Button } from '../ui/button.tsx';
import { SkeletonList } from '../ui/skeleton.tsx';
import { EmptyState, ErrorState } from '../ui/state.tsx';
import { Table } from '../ui/table.tsx';
import { Time } from '../ui/time.tsx';
import { showToast } from '../ui/toast.tsx';
import { useAction } from '../ui/use-action.ts';
import { LinkChatDialog } from './link-chat-dialog.tsx';
import { platformNames } from './platform-names.ts';

type Chat = WebResponse<'bridge.list'>['data'][number];

function ChatTable({ chats }: { chats: readonly Chat[] }) {
  const { settings } = useText();
  const unlink = useAction((chatId: string) => callWeb('bridge.unlink', { chat_id: chatId }), {
    changes: [keys.chats],
    onDone: () => showToast(settings.chatUnlinked),
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
      render: ({ id, title }: Chat) => (
        <Button
          size="small"
          look="quiet"
          className="-my-1.5 sm:-ml-2.5"
          aria-label={`${settings.unlink}: ${title}`}
          onClick={() => unlink.mutate(id)}
        >
          {settings.unlink}
        </Button>
      ),
    },
  ];
  return <Table caption={settings.chats} columns={columns} rows={chats} keyOf={({ id }) => id} />;
}

/** Chats of Telegram and Slack that talk to the agent for the account. */
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
      {chats.length === 0 && <EmptyState icon={<MessagesSquare aria-hidden />} title={settings.noChats} />}
      {chats.length > 0 && <ChatTable chats={chats} />}
      {isLinking && <LinkChatDialog onClose={() => setLinking(false)} />}
    </>
  );
}
