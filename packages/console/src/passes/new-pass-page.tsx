import { Radio, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Schemas } from '@tollgate/sdk/edge';
import { type ReactNode, useState } from 'react';
import { call } from '../api/call.ts';
import { catalogue } from '../api/queries.ts';
import { textOf } from '../patterns/field.ts';
import { Form } from '../patterns/form.tsx';
import { ButtonLink } from '../patterns/links.tsx';
import { Page } from '../patterns/page.tsx';
import { CapFields, capOf } from './cap-fields.tsx';
import { PasteConfiguration } from './paste-configuration.tsx';
import { capInWords, toolsInWords } from './pass-words.ts';

export function NewPassPage(): ReactNode {
  const [made, setMade] = useState<Schemas['CreatedPass']>();
  return made === undefined ? <NewPassForm onMade={setMade} /> : <MadePass pass={made} />;
}

function NewPassForm({ onMade }: { readonly onMade: (pass: Schemas['CreatedPass']) => void }): ReactNode {
  const client = useQueryClient();
  const [tools, setTools] = useState<string[]>([]);
  const [isForAll, setIsForAll] = useState(false);
  async function send(fields: FormData, idempotencyKey: string): Promise<Schemas['CreatedPass']> {
    const cap = capOf(fields);
    const body = { name: textOf(fields, 'name'), tools: isForAll ? '*' : tools, ...(cap !== null && { cap }) };
    return call('createPass', { body, idempotencyKey });
  }
  function done(pass: Schemas['CreatedPass']): void {
    void client.invalidateQueries({ queryKey: ['listPasses'] });
    onMade(pass);
  }
  return (
    <Page title="Make a pass">
      <Text>
        A pass is a key that you hand to an agent. It pays for calls of the tools that you name, until its cap, and
        opens nothing else.
      </Text>
      <Form submit="Make pass" send={send} onDone={done}>
        {(errorOf) => (
          <>
            <TextInput name="name" label="Name" description="To tell passes apart." error={errorOf('/name')} />
            <Tools {...{ tools, setTools, isForAll, setIsForAll }} error={errorOf('/tools')} />
            <CapFields errorOf={errorOf} />
          </>
        )}
      </Form>
    </Page>
  );
}

interface Chosen {
  readonly tools: string[];
  readonly setTools: (tools: string[]) => void;
  readonly isForAll: boolean;
  readonly setIsForAll: (isForAll: boolean) => void;
  readonly error: string | undefined;
}

function Tools({ tools, setTools, isForAll, setIsForAll, error }: Chosen): ReactNode {
  const offered = useQuery(catalogue);
  const slugs = (offered.data?.tools ?? []).filter(({ archived }) => !archived).map(({ slug }) => slug);
  return (
    <Stack gap="xs">
      <Radio.Group
        label="Tools"
        name="which"
        value={isForAll ? 'all' : 'some'}
        onChange={(which) => setIsForAll(which === 'all')}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="some" label="These tools" />
          <Radio value="all" label="All tools, also those to come" />
        </Stack>
      </Radio.Group>
      {!isForAll && (
        <TagsInput
          label="Tools that it allows"
          description="Type a name and press Enter."
          data={slugs}
          value={tools}
          onChange={setTools}
          error={error}
          acceptValueOnBlur
        />
      )}
    </Stack>
  );
}

function MadePass({ pass }: { readonly pass: Schemas['CreatedPass'] }): ReactNode {
  return (
    <Page
      title={`Pass ${pass.name}`}
      actions={
        <>
          <ButtonLink variant="default" to="/calls" search={{ pass_id: pass.id }}>
            See its calls arrive
          </ButtonLink>
          <ButtonLink to="/passes">All passes</ButtonLink>
        </>
      }
    >
      <Text>
        It may spend {capInWords(pass.cap)} on {toolsInWords(pass.tools)}.
      </Text>
      <PasteConfiguration tools={pass.tools} passKey={pass.key} />
    </Page>
  );
}
