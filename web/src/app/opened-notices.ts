import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';

/** Opens the pages of notifications that the user clicks, which the service worker names. */
export function useOpenedNotices(): void {
  const navigate = useNavigate();
  useEffect(() => {
    // Absent where the page is not served securely.
    const container = 'serviceWorker' in navigator ? navigator.serviceWorker : null;
    const open = ({ data }: MessageEvent<{ open?: string } | null>) => {
      if (data?.open !== undefined) void navigate({ href: data.open });
    };
    container?.addEventListener('message', open);
    container?.startMessages();
    return () => container?.removeEventListener('message', open);
  }, [navigate]);
}
