import './styles.ts';
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createClient } from './api/client.ts';
import { account, budget, monthByTool, weeksByTool } from './api/queries.ts';
import { router } from './router.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme, variablesOf } from './theme.ts';

const client = createClient(showSignIn);
// The lock of scrolling behind a dialog adds a style of its own, and looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() });

/** Leads to the sign-in, and afterwards back to where one was. */
function showSignIn(): void {
  const { pathname, href } = router.state.location;
  if (pathname.startsWith('/sign-')) return;
  const wasSignedIn = client.getQueryData(account.queryKey) !== undefined;
  client.clear();
  void router.navigate({ to: '/sign-in', search: { next: `/app${href}`, ...(wasSignedIn && { ended: 'yes' }) } });
}

/** Asks what the first page will ask, while it is drawn. */
function askEarly(path: string): void {
  if (path.startsWith('/app/sign-')) return;
  void client.prefetchQuery(account);
  if (path !== '/app' && path !== '/app/') return;
  void client.prefetchQuery(budget);
  const asked = client.fetchQuery(monthByTool).then(({ counted_through: through }) => {
    const { last, before } = weeksByTool(through);
    return Promise.all([client.prefetchQuery(last), client.prefetchQuery(before)]);
  });
  asked.catch(() => undefined); // the page says what went wrong
}

askEarly(location.pathname);

const place = document.getElementById('console');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={variablesOf}
        getStyleNonce={styleNonce}
        defaultColorScheme="auto"
      >
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
