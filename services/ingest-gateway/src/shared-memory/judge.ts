import { createMicroBatcher, type MicroBatcher } from '@tollgate/runtime/timing/micro-batcher';
import type { FirstEvent } from '../keys/judge-repeat.ts';
import type { Admission, WindowRules } from '@tollgate/runtime/limits/sliding-window';
import type { RedisLink } from './redis-link.ts';
import { parseReply, replyKeyOf } from './reply-entry.ts';

export type Question = AdmissionQuestion | ReplyQuestion;

interface AdmissionQuestion {
  readonly kind: 'admission';
  readonly bucket: string;
  /** Monotonic ms. */
  readonly askedAtMs: number;
  onAnswer(admission: Admission): void;
  onAway(): void;
}

interface ReplyQuestion {
  readonly kind: 'reply';
  readonly eventId: string;
  /** Monotonic ms. */
  readonly askedAtMs: number;
  onAnswer(first: FirstEvent | undefined): void;
  onAway(): void;
}

export interface JudgeDeps {
  readonly link: RedisLink;
  readonly rules: WindowRules;
}

/** A call of this size takes some 3 ms of Redis's one thread; meanwhile Redis serves no other client. */
const batchQuestionsMax = 500;
const figuresOfAdmission = 3;

/** Sends all waiting questions as one call of the script. The next call leaves when this one is answered. */
export function createJudge({ link, rules: { limit, windowMs } }: JudgeDeps): MicroBatcher<Question> {
  return createMicroBatcher<Question>({
    batchItemsMax: batchQuestionsMax,
    batchBytesMax: batchQuestionsMax,
    sizeOf: () => 1,
    async run(questions) {
      const answers = link.isUp() ? await judge(questions) : undefined;
      if (answers === undefined) for (const { onAway } of questions) onAway();
      else handOut(questions, answers);
    },
  });

  async function judge(questions: readonly Question[]): Promise<readonly unknown[] | undefined> {
    const buckets = admissionsOf(questions).map(({ bucket }) => `tollgate:limit:${bucket}`);
    const keys = [...buckets, ...repliesOf(questions).map(({ eventId }) => replyKeyOf(eventId))];
    const args = [buckets.length, limit, windowMs * 1_000];
    return link.ask((redis) => redis.judge(keys.length, ...keys, ...args), questions[0]?.askedAtMs);
  }

  function handOut(questions: readonly Question[], answers: readonly unknown[]): void {
    const admissions = admissionsOf(questions);
    admissions.forEach(({ onAnswer }, index) => onAnswer(toAdmission(answers, index * figuresOfAdmission)));
    const replies = answers.slice(admissions.length * figuresOfAdmission);
    repliesOf(questions).forEach(({ onAnswer }, index) => onAnswer(parseReply(replies[index])));
  }

  function toAdmission(answers: readonly unknown[], at: number): Admission {
    const [isAdmitted, remaining, waitMicros] = [answers[at], answers[at + 1], answers[at + 2]].map(Number);
    return { isAdmitted: isAdmitted === 1, limit, remaining: remaining ?? 0, waitMs: (waitMicros ?? 0) / 1_000 };
  }
}

function admissionsOf(questions: readonly Question[]): AdmissionQuestion[] {
  return questions.filter((question) => question.kind === 'admission');
}

function repliesOf(questions: readonly Question[]): ReplyQuestion[] {
  return questions.filter((question) => question.kind === 'reply');
}
