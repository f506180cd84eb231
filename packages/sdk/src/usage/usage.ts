export { aiSdkStream } from './ai-sdk-usage.ts';
export { anthropicStream } from './anthropic-usage.ts';
export { openaiAgentsStream } from './openai-agents-usage.ts';
export type { ModelStream, UsageOptions } from './tally.ts';
