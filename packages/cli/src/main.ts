#!/usr/bin/env node
import { runCommandLine } from './run-command-line.ts';

process.exitCode = await runCommandLine({ args: process.argv.slice(2), environment: process.env });
