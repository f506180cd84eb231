export interface WelcomeFacts {
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Its version, and where its programs come from. */
  readonly postgres: string;
  readonly startedInMs: number;
}

/**
 * The text for a newcomer. Its three lines need only curl and sed. They can be pasted again and again, since the second of
 * the clock is part of each name.
 */
export function welcomeText({ baseUrl, dataDir, postgres, startedInMs }: WelcomeFacts): string {
  const json = `-H 'Content-Type: application/json'`;
  const bearer = `-H "Authorization: Bearer $TOKEN"`;
  return `
Tollgate is ready: ${baseUrl} (in ${(startedInMs / 1_000).toFixed(1)} s)
Data:              ${dataDir}
PostgreSQL:        ${postgres}
Console:           ${baseUrl}/app
Documentation:     ${baseUrl}/docs

To try it, paste these lines one by one: they create an account and a tool, and record a call.

TOKEN=$(curl -s ${baseUrl}/v1/auth/register ${json} -d '{"email":"me-'$(date +%s)'@example.com","password":"correct horse battery"}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
TOOL=hello-$(date +%s); curl -s ${baseUrl}/v1/tools ${bearer} ${json} -d '{"slug":"'$TOOL'","name":"Hello","price":{"per_call_usd":"0.002"}}'; echo
curl -s ${baseUrl}/v1/events ${bearer} ${json} -d '{"tool_id":"'$TOOL'","duration_ms":12}'; echo

Your own calls of your own tools cost nothing: a call of another account, or with its pass, is charged.

Press Ctrl-C to stop.
`;
}
