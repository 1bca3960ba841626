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

/** How far an arrow key leads in a list of parts; Home and End lead to its ends. */
const STEPS: Record<string, (place: number, count: number) => number> = {
  ArrowRight: (place, count) => (place + 1) % count,
  ArrowLeft: (place, count) => (place + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Moves the focus among parts of one stop of the Tab key, if a key asks for it. */
export function moveFocus(event: KeyboardEvent, parts: (HTMLElement | SVGElement)[]): void {
  const step = STEPS[event.key];
  if (step && parts.length && !event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
    event.preventDefault();
    parts[step(Math.max(0, parts.findIndex((part) => part === document.activeElement)), parts.length)]?.focus();
  }
}

/**
 * Tabs and the panel of the selected one, by the pattern of WAI-ARIA: one stop of the Tab key, then
 * the arrow keys, which move the focus alone; Enter and Space select, since a panel may ask the server.
 */
export function Tabs<Id extends string>(props: { label: string; tabs: readonly (readonly [Id, string])[]; selected: Id; select: (id: Id) => void; children: ComponentChildren }) {
  const { label, tabs, selected, select, children } = props;
  return (
    <>
      <div class="tabs" role="tablist" aria-label={label} onKeyDown={(event) => moveFocus(event, [...event.currentTarget.querySelectorAll('button')])}>
        {tabs.map(([id, title]) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-controls="panel"
            aria-selected={id === selected}
            tabIndex={id === selected ? 0 : -1}
            onClick={() => select(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="panel" aria-labelledby={`tab-${selected}`}>
        {children}
      </div>
    </>
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
