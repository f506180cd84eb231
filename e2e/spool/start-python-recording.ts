import { startChildService } from '@tollgate/testkit/child-service';
import { toRecording, type Recording, type RecordingOptions } from '../../packages/sdk/test/support/start-recording.ts';
import { pythonClient } from '../clients/python-environment.ts';

/** As `startRecording`, with the client for Python. */
export function startPythonRecording(python: string, options: RecordingOptions): Recording {
  const { dir, url, apiKey, concurrency = 8, count = 1e9 } = options;
  return toRecording(
    startChildService({
      command: python,
      args: ['-m', 'tests.support.recording_program', dir, url, String(concurrency), String(count)],
      cwd: pythonClient,
      env: { TOLLGATE_API_KEY: apiKey, PYTHONDONTWRITEBYTECODE: '1' },
    }),
  );
}
