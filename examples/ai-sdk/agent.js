import { Meter, Tollgate } from '@tollgate/sdk';
import { generateText, isStepCount, tool } from 'ai';
import { z } from 'zod';
import { fakeModel } from './fake-model.js';
import { meterTools } from './meter-tools.js';

const weather = tool({
  description: 'The weather in a city',
  inputSchema: z.object({ city: z.string() }),
  execute({ city }) {
    if (city === 'Atlantis') throw new Error('there is no such city');
    return `12 degrees in ${city}`;
  },
});

const meter = await Meter.open({ tollgate: new Tollgate(), dir: '.tollgate-spool' });
const { text } = await generateText({
  model: fakeModel(), // in your program: any model, as anthropic('…') or openai('…')
  tools: { weather },
  stopWhen: isStepCount(5),
  prompt: 'How is the weather in Oslo and in Atlantis?',
  ...meterTools(meter, { slugOf: (name) => `ai-${name}` }),
});
console.log(text);
await meter.close();
console.log(meter.stats().sent, 'calls reported');
