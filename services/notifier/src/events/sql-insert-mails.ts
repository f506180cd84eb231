/**
 * The part of a statement that orders the mails of new events: `source` names their rows, `now` and `types` the parameters
 * with the time and the types that are mailed. The event and its mail are one transaction.
 */
export function insertMails(source: string, { now, types }: { readonly now: string; readonly types: string }): string {
  return `insert into notify.mail (mail_id, account_id, type, data, happened_at, stored_at, due_at)
  select s.event_id, s.account_id, s.type, s.data, s.happened_at, ${now}, ${now} from ${source} s
  where s.account_id is not null and s.type = any (${types}::text[])
    and not exists (select from notify.mail_opt_out o where o.account_id = s.account_id and o.type = s.type)`;
}
