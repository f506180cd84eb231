-- Mail. The notifier sends what a person must know of an account: of what happened, and the letters of auth, whose links carry
-- a secret. Without a mail server nobody writes into any of these tables.

-- ---------------------------------------------------------------- Links of auth

-- Each is good once, and for a while of real time. A request for an address without an account leaves a row, too, so that
-- the time of the answer does not tell the two apart.
create table auth.mail_link (
  link_hash  bytea       primary key check (octet_length(link_hash) = 32),
  purpose    text        not null check (purpose in ('password_reset', 'email_confirmation')),
  account_id uuid        references auth.account, -- null: there is none
  expires_at timestamptz not null
);
create index mail_link_of_account on auth.mail_link (account_id);
create index mail_link_by_age on auth.mail_link (expires_at);

-- A letter, until the notifier has taken it. Its link, if it has one, is sealed for this letter alone.
create table auth.letter (
  letter_id   uuid        primary key,
  type        text        not null check (type in ('password_reset', 'email_confirmation', 'password.changed', 'account.closed')),
  account_id  uuid        references auth.account, -- null: it goes to nobody
  link_sealed bytea,
  asked_at    timestamptz not null, -- as in expires_at, by real time
  expires_at  timestamptz,
  check ((link_sealed is null) = (expires_at is null))
);
create function auth.announce_letter() returns trigger
language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
begin
  perform pg_notify('outbox_written', '');
  return null;
end $$;
create trigger announce_letter after insert on auth.letter for each statement execute function auth.announce_letter();

-- Takes letters out, as billing.take_outbox does.
create function auth.take_letters(rows_max integer) returns setof auth.letter
language sql volatile security definer set search_path = pg_catalog
as $$
  with oldest as materialized (
    select letter_id from auth.letter order by asked_at limit rows_max for update skip locked
  )
  delete from auth.letter l using oldest where l.letter_id = oldest.letter_id returning l.*
$$;

-- The address is compared: a bounce of an earlier one says nothing about it.
create function auth.note_bounce(of_account uuid, of_address text, at timestamptz) returns void
language sql volatile security definer set search_path = pg_catalog
as $$
  update auth.account set email_bounced_at = at where account_id = of_account and email = of_address
$$;

alter table auth.mail_link enable row level security;
alter table auth.letter enable row level security;
create policy own_rows on auth.mail_link to auth_api using (account_id = (select auth.current_account_id()));
create policy own_rows on auth.letter to auth_api using (account_id = (select auth.current_account_id()));
create policy all_rows on auth.mail_link to auth_worker using (true) with check (true);
create policy all_rows on auth.letter to auth_worker using (true) with check (true);
grant select, insert, delete on auth.mail_link, auth.letter to auth_worker;
grant select, insert, delete on auth.mail_link to auth_api;
grant insert on auth.letter to auth_api;
revoke all on function auth.announce_letter(), auth.take_letters(integer), auth.note_bounce(uuid, text, timestamptz) from public;
grant execute on function auth.take_letters(integer), auth.note_bounce(uuid, text, timestamptz) to notifier_worker;

-- ---------------------------------------------------------------- What the notifier sends

-- A mail that has not been sent. The row goes when a mail server has taken it, or when it is given up.
create table notify.mail (
  mail_id       uuid        primary key, -- the event's or letter's; the Message-ID is made of it
  account_id    uuid        not null,
  type          text        not null,
  data          jsonb       not null, -- the event's
  link_sealed   bytea, -- a letter's
  happened_at   timestamptz not null,
  expires_at    timestamptz, -- it is of no use afterwards
  stored_at     timestamptz not null,
  attempts      integer     not null default 0, -- begun
  due_at        timestamptz not null,
  claimed_until timestamptz -- somebody sends it now; nobody else does before this time
);
create index mail_due on notify.mail (account_id, due_at);

-- Kinds that an account does not want. There is a row for nothing that everybody gets.
create table notify.mail_opt_out (
  account_id uuid not null,
  type       text not null,
  primary key (account_id, type)
);

alter table notify.mail enable row level security;
alter table notify.mail_opt_out enable row level security;
create policy worker on notify.mail to notifier_worker using (true) with check (true);
create policy worker on notify.mail_opt_out to notifier_worker using (true) with check (true);
create policy own on notify.mail to notifier_api using (account_id = (select auth.current_account_id()));
create policy own on notify.mail_opt_out to notifier_api using (account_id = (select auth.current_account_id()))
  with check (account_id = (select auth.current_account_id()));
grant select, insert, update, delete on notify.mail to notifier_worker;
grant select, insert, delete on notify.mail_opt_out to notifier_worker, notifier_api;
grant select (account_id, type), delete on notify.mail to notifier_api;

-- ---------------------------------------------------------------- The PDF of an invoice that is mailed

-- Services do not call each other: the notifier publishes which invoices it mails, and billing prints them.
create view notify.mailed_invoice_v1 as
  select account_id, (data ->> 'id')::uuid as invoice_id from notify.mail where type = 'invoice.issued';
grant select on notify.mailed_invoice_v1 to billing_worker;

-- A print, until its mail is sent.
create table billing.mailed_print (
  invoice_id uuid        primary key,
  pdf        bytea, -- null: it could not be printed, or is too large for a mail
  made_at    timestamptz not null default clock_timestamp()
);
create view billing.mailed_print_v1 as select invoice_id, pdf from billing.mailed_print;
alter table billing.mailed_print enable row level security;
create policy worker on billing.mailed_print to billing_worker using (true) with check (true);
grant select, insert, delete on billing.mailed_print to billing_worker;
grant select on billing.mailed_print_v1 to notifier_worker;
