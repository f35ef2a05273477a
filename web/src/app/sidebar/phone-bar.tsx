import { Link, useLocation } from '@tanstack/react-router';
import { Menu, SquarePen } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../text/locale.ts';
import { Drawer } from '../../ui/dialogs/drawer.tsx';
import { IconButton } from '../../ui/controls/icon-button.tsx';
import { InboxBadge } from './inbox-badge.tsx';
import { Sidebar } from './sidebar.tsx';

/** The bar of narrow screens; its button opens the sidebar, and following a link there closes it. */
export function PhoneBar() {
  const { app } = useText();
  const place = useLocation({ select: ({ href }) => href });
  const [openAt, setOpenAt] = useState<string | null>(null);
  return (
    <header className="sticky top-0 z-30 flex h-13 items-center justify-between border-b border-line bg-paper px-2 md:hidden print:hidden">
      <div className="relative">
        <IconButton label={app.menu} icon={<Menu aria-hidden />} onClick={() => setOpenAt(place)} />
        <InboxBadge isDot />
      </div>
      <Link to="/" className="rounded-md px-2 font-semibold tracking-tight">
        {app.name}
      </Link>
      <Link
        to="/"
        hash="new"
        aria-label={app.newTask}
        className="inline-flex size-10 items-center justify-center rounded-md text-soft hover:bg-hover"
      >
        <SquarePen aria-hidden className="size-4.5" />
      </Link>
      <Drawer isOpen={openAt === place} onClose={() => setOpenAt(null)} title={app.menu}>
        <Sidebar isDrawer />
      </Drawer>
    </header>
  );
}
