import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createTaskServerV1 } from './mcp-task-server-v1.ts';
import { openTasks } from './mcp-task-store.ts';

/** A server over stdio whose tasks are in the folder that comes as an argument. */
await createTaskServerV1(openTasks(process.argv[2] ?? '')).connect(new StdioServerTransport());
