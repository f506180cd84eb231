import { Code, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Confirm } from '../patterns/confirm.tsx';
import { Facts } from '../patterns/facts.tsx';
import { Loaded } from '../patterns/loaded.tsx';
import { Page } from '../patterns/page.tsx';
import { Section } from '../patterns/section.tsx';
import { Time } from '../patterns/time.tsx';
import { AccountLink } from './ids.tsx';
import { askOperator, callOperator } from './operator-api.ts';

export function DeadLetterPage(): ReactNode {
  const { id } = useParams({ from: '/shell/operator/dead-letters/$id' });
  const path = { dead_letter_id: id };
  const found = useQuery(askOperator('getDeadLetter', { path }));
  return (
    <Loaded title="Dead letter" of={found}>
      {(letter) => (
        <Page
          title={`Dead letter ${letter.id}`}
          actions={
            <Confirm label="Replay" act={() => callOperator('replayDeadLetter', { path })}>
              <Text>
                The record is appended to the log again, and is treated as any other. An event that is counted already
                is not counted twice, and a conflict stays a conflict.
              </Text>
            </Confirm>
          }
        >
          <Facts
            facts={{
              Reason: letter.reason,
              Code: letter.code,
              Consumer: <AccountLink id={letter.consumer_id} />,
              Event: letter.event_id ?? 'cannot be read',
              Tool: letter.tool_id ?? 'cannot be read',
              Received: <Time at={letter.received_at} otherwise="cannot be read" />,
              Stored: <Time at={letter.stored_at} />,
              Replayed: <Time at={letter.replayed_at} otherwise="not yet" />,
              ...(letter.replayed_as !== null && { 'Replayed as': letter.replayed_as }),
            }}
          />
          <Section title="Its bytes, as text">
            <Code block>{textOfBase64(letter.record_base64)}</Code>
          </Section>
        </Page>
      )}
    </Loaded>
  );
}

/** Bytes that are no text show as �. */
function textOfBase64(base64: string): string {
  return new TextDecoder().decode(Uint8Array.from(atob(base64), (character) => character.codePointAt(0) ?? 0));
}
