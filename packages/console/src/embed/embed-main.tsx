import '../styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { Embed } from './embed.tsx';
import { readFragment } from './read-fragment.ts';

const given = readFragment(location.hash);
// The history is written to disk, and a copied address would open the page to others.
history.replaceState(null, '', location.pathname);

const place = document.getElementById('embed');
if (place !== null) {
  createRoot(place).render(
    <StrictMode>
      <Embed given={given} />
    </StrictMode>,
  );
}
