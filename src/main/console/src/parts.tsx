import { ApiError, messageOf } from './api';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

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

/** A dialog of the browser: it keeps the focus, and Escape closes it. */
export function Dialog({ title, close, children }: { title: string; close: () => void; children: ComponentChildren }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="dialog-title">
      <h2 id="dialog-title">{title}</h2>
      {children}
    </dialog>
  );
}

/** A question with an input, its label above it. */
export function Field(props: { label: string; name: string; value: string; hint?: string; set: (value: string) => void; type?: 'search' | 'datetime-local'; list?: string[] }) {
  const { label, name, value, hint = '', set, type = 'search', list } = props;
  return (
    <label>
      {label}
      <input
        type={type}
        name={name}
        value={value}
        placeholder={hint}
        spellcheck={false}
        autocomplete="off"
        {...(list ? { list: `${name}-list` } : {})}
        onInput={(event) => set(event.currentTarget.value)}
      />
      {list && (
        <datalist id={`${name}-list`}>
          {list.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
    </label>
  );
}
