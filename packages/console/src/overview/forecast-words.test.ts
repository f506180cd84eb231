import { expect, it } from '@jest/globals';
import { dayOfCourse, forecastInWords } from './forecast-words.ts';

const forecast: Parameters<typeof forecastInWords>[0] = {
  period: '2026-11',
  through: '2026-11-21T12:00:00.000Z',
  spent_usd: 4.92,
  estimated_usd: 7.2,
  estimated_low_usd: 6.1,
  estimated_high_usd: 8,
  budget_usd: 6,
  budget_ends_on: '2026-11-25',
  history_days: 42,
  days: [],
};

it('says the forecast, its band and the end of the budget', () => {
  expect(forecastInWords(forecast)).toMatch(
    /^About \$7\.20\. Four of five such months end between \$6\.10 and \$8\.00\. The budget of \$6\.00 is spent on .*25.*\.$/,
  );
  expect(forecastInWords({ ...forecast, budget_ends_on: null })).toMatch(/The budget of \$6\.00 lasts\.$/);
  expect(forecastInWords({ ...forecast, estimated_usd: null, budget_usd: null, history_days: 3 })).toBe(
    'An estimate takes 14 whole days of calls. So far there are 3.',
  );
});

it('draws of a day what is known of it', () => {
  const unknown = { estimated_usd: null, estimated_low_usd: null, estimated_high_usd: null };
  expect(dayOfCourse({ date: '2026-11-20', spent_usd: 4.8, ...unknown })).toMatchObject({
    spent: 4.8,
    says: ['Spent $4.80'],
  });
  const known = { estimated_usd: 7.2, estimated_low_usd: 6.1, estimated_high_usd: 8 };
  const day = dayOfCourse({ date: '2026-11-30', spent_usd: null, ...known });
  expect(day).toMatchObject({ band: [6.1, 8], says: ['Expected $7.20', 'Between $6.10 and $8.00'] });
  expect(day).not.toHaveProperty('spent');
});
