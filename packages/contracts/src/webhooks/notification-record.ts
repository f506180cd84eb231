/** The topic of Kafka to which everything that is told is relayed, where the operator wants that. */
export const notificationsTopic = 'tollgate.notifications.v1';

/** The key of records without an account. */
export const operatorsKey = 'operator';

/** The value of a record, as JSON: the body of the webhook, with the id of its event and its account. The key is the account. */
export interface NotificationRecord {
  /** That of `webhook-id`. A record may come twice: pass over an id that you have seen. */
  readonly id: string;
  /** Null: it is for the operator alone. */
  readonly account_id: string | null;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}
