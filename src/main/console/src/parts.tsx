import { ApiError, messageOf } from './api';
import type { ComponentChildren } from 'preact';

/** An error with what the server says of it. */
export function ErrorBox({ error }: { error: unknown }) {
  const status = error instanceof ApiError ? error.status : undefined;
  return (
    <div class="error" role="alert">
      <strong>{status?.reason ?? 'Error'}</strong>
      <p>{messageOf(error)}</p>
      {status?.details?.causes && (
        <ul>
          {status.details.causes.map((cause) => (
            <li>
              {cause.field && <code>{cause.field}</code>} {cause.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

export function Pane({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="pane">
      <h2>{title}</h2>
      {children}
    </section>
  );
}
