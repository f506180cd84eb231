import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { ask } from '../api/queries.ts';
import classes from '../patterns/figures.module.css';
import { Facts } from '../patterns/facts.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Money } from '../patterns/money.tsx';
import { Page } from '../patterns/page.tsx';
import { StatusBadge } from '../patterns/status-badge.tsx';
import { Time } from '../patterns/time.tsx';
import { PassActs } from './pass-acts.tsx';
import { capInWords, statusOf, toolsInWords } from './pass-words.ts';
import { PasteConfiguration } from './paste-configuration.tsx';

/** A pass: what it may, what it has spent, and what its owner can do about it. */
export function PassPage(): ReactNode {
  const { id } = useParams({ from: '/shell/passes/$id' });
  const pass = useQuery(ask('getPass', { path: { id } }));
  return (
    <Loaded title="Pass" of={pass}>
      {(shown) => <Shown pass={shown} />}
    </Loaded>
  );
}

function Shown({ pass }: { readonly pass: Schemas['Pass'] }): ReactNode {
  const [replaced, setReplaced] = useState<Schemas['CreatedPass']>();
  const navigate = useNavigate();
  return (
    <Page
      title={`Pass ${pass.name}`}
      actions={
        <ButtonLink variant="default" to="/calls" search={{ pass_id: pass.id }}>
          Its calls
        </ButtonLink>
      }
    >
      {replaced !== undefined && <PasteConfiguration tools={replaced.tools} passKey={replaced.key} />}
      <PassFacts pass={pass} />
      <PassActs pass={pass} onReplaced={setReplaced} onRevoked={() => void navigate({ to: '/passes' })} />
    </Page>
  );
}

function PassFacts({ pass }: { readonly pass: Schemas['Pass'] }): ReactNode {
  const live = useQuery(ask('getLiveness'));
  return (
    <Stack gap="xs">
      <Facts
        facts={{
          State: <StatusBadge status={statusOf(pass, live.data?.now ?? '')} />,
          Tools: toolsInWords(pass.tools),
          Cap: capInWords(pass.cap),
          ...(pass.cap !== null && {
            Spent: (
              <>
                <Money usd={pass.spent_usd} />, <Money usd={pass.held_usd} /> held, <Money usd={pass.remaining_usd} />{' '}
                left
                <meter
                  className={classes.meter}
                  min={0}
                  max={pass.cap.amount_usd}
                  value={pass.spent_usd ?? 0}
                  aria-label="Spent of the cap"
                />
              </>
            ),
            'Begins anew': <Time at={pass.resets_at} otherwise="never" />,
          }),
          Key: `${pass.prefix}…${pass.last_four}`,
          Made: <Time at={pass.created_at} />,
          Expires: <Time at={pass.expires_at} otherwise="never" />,
        }}
      />
    </Stack>
  );
}
