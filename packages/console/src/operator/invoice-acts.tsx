import { Group, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { amountOf, textOf } from '../patterns/field.ts';
import { Money } from '../patterns/money.tsx';
import { OperatorAct } from './operator-act.tsx';
import { callOperator, type OperatorSchemas } from './operator-api.ts';

type Invoice = OperatorSchemas['InvoiceSummary'];

interface Acted {
  readonly invoice: Invoice;
}

const unpaid = new Set<Invoice['status']>(['open', 'past_due', 'uncollectible']);

/** The operator may do these with an invoice. Each act asks for a second look: its number has to be typed. */
export function InvoiceActs({ invoice }: Acted): ReactNode {
  return (
    <Group gap="xs">
      {invoice.status === 'paid' && <Refund invoice={invoice} />}
      {unpaid.has(invoice.status) && <Void invoice={invoice} />}
      {invoice.held_for === 'confirmation' && <ConfirmCharge invoice={invoice} />}
    </Group>
  );
}

function secondLook({ number }: Invoice) {
  return { label: `Type the number of the invoice: ${number}`, text: String(number) };
}

function Refund({ invoice }: Acted): ReactNode {
  function refund(fields: FormData, idempotencyKey: string) {
    const isAll = textOf(fields, 'amount') === '';
    const body = isAll ? {} : { amount_usd: amountOf(fields, 'amount') };
    return callOperator('refundInvoice', { path: { invoice_id: invoice.id }, body, idempotencyKey });
  }
  return (
    <OperatorAct
      label="Refund invoice"
      isDestructive
      typed={secondLook(invoice)}
      fields={(errorOf) => (
        <TextInput
          name="amount"
          inputMode="decimal"
          label="US dollars"
          description="Empty: all that is left of it."
          error={errorOf('/amount_usd')}
        />
      )}
      act={refund}
    >
      <Text>
        The consumer gets the money back to where it came from: card and balance. Builders and platform return their
        shares. Of <Money usd={invoice.total_usd} />, <Money usd={invoice.refunded_usd} /> went back before.
      </Text>
    </OperatorAct>
  );
}

function Void({ invoice }: Acted): ReactNode {
  return (
    <OperatorAct
      label="Void invoice"
      isDestructive
      typed={secondLook(invoice)}
      act={() => callOperator('voidInvoice', { path: { invoice_id: invoice.id } })}
    >
      <Text>
        The consumer no longer owes <Money usd={invoice.total_usd} />, and the builders earn nothing from it. That is
        final.
      </Text>
    </OperatorAct>
  );
}

function ConfirmCharge({ invoice }: Acted): ReactNode {
  return (
    <OperatorAct
      label="Confirm invoice"
      typed={secondLook(invoice)}
      act={() => callOperator('confirmInvoice', { path: { invoice_id: invoice.id } })}
    >
      <Text>
        It is above the bound of one collection. Once it is confirmed, <Money usd={invoice.total_usd} /> is charged at
        once.
      </Text>
    </OperatorAct>
  );
}
