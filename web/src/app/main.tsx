import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from '../api/query-client.ts';
import { firstLocale, setLocale } from '../text/locale.ts';
import { OverlayProvider } from '../ui/dialogs/overlay-provider.tsx';
import { router } from './router.ts';
import './style.css';

await setLocale(firstLocale());

const root = document.querySelector('#root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <OverlayProvider>
          <RouterProvider router={router} />
        </OverlayProvider>
      </QueryClientProvider>
    </StrictMode>,
  );
}
