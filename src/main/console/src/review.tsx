import { useEffect, useState } from 'preact/hooks';
import { ApiError, isRecord, send, type Call } from './api';
import { Diff } from './difference';
import { ErrorBox } from './parts';
import type { Json, StatusCause } from './types';

/** A write that the user confirms after the server has tried it. */
export interface Write {
  path: string;
  call: Call;
  /** The object as it is; undefined for one that is created. */
  before?: Json;
  /** What the button says. */
  verb: string;
  /** Whether the write cannot change the status, which controllers may change while the server tries it. */
  keepsStatus?: boolean;
}

function withoutStatus(value: Json): Json {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return value;
  }
  const { status: _status, ...rest } = value;
  return rest;
}

const dry = (path: string) => path + (path.includes('?') ? '&' : '?') + 'dryRun=All';

/**
 * Sends a write as a dry run and shows what it would change; the write itself is sent when the user
 * confirms it.
 *
 * @param retry makes the same write that takes fields over from other managers; offered after
 *     conflicts of server-side apply
 */
export function Review({ write, done, cancel, force }: { write: Write; done: (result: Json) => void; cancel: () => void; force?: () => void }) {
  const [after, setAfter] = useState<Json>();
  const [error, setError] = useState<unknown>();
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    setAfter(undefined);
    setError(undefined);
    send(dry(write.path), write.call)
      .then(async (response) => setAfter((await response.json()) as Json))
      .catch(setError);
  }, [write]);
  const confirm = () => {
    setBusy(true);
    send(write.path, write.call)
      .then(async (response) => done((await response.json()) as Json))
      .catch((problem) => {
        setBusy(false);
        setError(problem);
      });
  };
  const conflicts = conflictsOf(error);
  const compared = write.keepsStatus ? withoutStatus : (value: Json) => value;
  return (
    <div class="review" role="group" aria-label="Review">
      {conflicts.length ? <Conflicts causes={conflicts} force={force} /> : error !== undefined && <ErrorBox error={error} />}
      {after !== undefined &&
        (isStatus(after) ? <p class="hint">The object would be gone at once.</p> : <Diff before={compared(write.before ?? null)} after={compared(after)} />)}
      {after === undefined && error === undefined && <p class="loading">The server tries it.</p>}
      <p class="buttons">
        <button type="button" class="primary" disabled={after === undefined || busy} onClick={confirm}>
          {write.verb}
        </button>
        <button type="button" onClick={cancel}>
          Back
        </button>
      </p>
    </div>
  );
}

/** What a deletion answers where nothing keeps the object: it has no state to compare with. */
function isStatus(answer: Json): boolean {
  return isRecord(answer) && answer['kind'] === 'Status' && answer['apiVersion'] === 'v1';
}

function conflictsOf(error: unknown): StatusCause[] {
  const causes = error instanceof ApiError ? error.status?.details?.causes : undefined;
  return (causes ?? []).filter((cause) => cause.reason === 'FieldManagerConflict');
}

function Conflicts({ causes, force }: { causes: StatusCause[]; force: (() => void) | undefined }) {
  return (
    <div class="error" role="alert">
      <strong>Other managers own these fields</strong>
      <table class="small conflicts">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Owned by</th>
          </tr>
        </thead>
        <tbody>
          {causes.map((cause) => (
            <tr key={cause.field}>
              <td>
                <code>{cause.field}</code>
              </td>
              <td>{/conflict with "(.*)"/.exec(cause.message ?? '')?.[1] ?? cause.message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {force && (
        <button type="button" onClick={force}>
          Take these fields over
        </button>
      )}
    </div>
  );
}
