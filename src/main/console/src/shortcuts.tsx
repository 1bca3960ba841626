import { useEffect, useState } from 'preact/hooks';
import { Dialog } from './parts';
import { createLink, go } from './router';
import type { Resource } from './types';

const HELP: [string, string][] = [
  ['?', 'these shortcuts'],
  ['t', 'find a type'],
  ['/', 'filter the table'],
  ['n', 'create an object of the shown type'],
  ['o', 'overview'],
  ['a', 'access'],
  ['j, k', 'the next and the previous row of a table'],
  ['Enter', 'open the row'],
  ['Tab', 'the next part of the page'],
  ['Arrows', 'in tabs and in the time line of the audit; Enter selects'],
  ['Escape', 'close a dialog or a list, leave an input'],
  ['Escape, Tab', 'leave the editor, where Tab indents'],
  ['Ctrl+Space', 'in the editor: fields and values that fit'],
];

const KEPT = 'keelson-shortcuts';

/**
 * Keys that work everywhere but in inputs, the editor and dialogs, and the list of them. Those of one
 * character can be turned off (WCAG 2.1.4): who speaks to the browser types them by accident.
 */
export function Shortcuts({ type, help, setHelp }: { type: Resource | undefined; help: boolean; setHelp: (shown: boolean) => void }) {
  const [on, setOn] = useState(localStorage.getItem(KEPT) !== 'off');
  const choose = (chosen: boolean) => {
    localStorage.setItem(KEPT, chosen ? 'on' : 'off');
    setOn(chosen);
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key === 'Escape' && target.matches('input[type=search]')) {
        target.blur();
      }
      if (!on) {
        return;
      }
      const typing = target.closest('input, select, textarea, dialog, .codemirror, [contenteditable]');
      if (typing || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) {
        return;
      }
      if (act(event.key, type, () => setHelp(true))) {
        event.preventDefault();
      }
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [type, on]);
  return help ? (
    <Dialog title="Keyboard" close={() => setHelp(false)}>
      <dl class="keys">
        {HELP.map(([key, meaning]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </>
        ))}
      </dl>
      <label class="choice">
        <input type="checkbox" name="shortcuts" checked={on} onChange={(event) => choose(event.currentTarget.checked)} /> Use the keys of one character
      </label>
      <form method="dialog" class="buttons">
        <button type="submit">Close</button>
      </form>
    </Dialog>
  ) : null;
}

function act(key: string, type: Resource | undefined, help: () => void): boolean {
  switch (key) {
    case '?':
      help();
      return true;
    case 't':
      return focus('[data-shortcut="t"]');
    case '/':
      return focus('input[name=q]');
    case 'n':
      if (type?.verbs.includes('create')) {
        go(createLink(type, new URLSearchParams(location.search).get('namespace') ?? location.pathname.split('/')[6] ?? ''));
        return true;
      }
      return false;
    case 'o':
      go('/console/');
      return true;
    case 'a':
      go('/console/access');
      return true;
    case 'j':
      return move(1);
    case 'k':
      return move(-1);
    default:
      return false;
  }
}

function focus(selector: string): boolean {
  const element = document.querySelector<HTMLElement>(selector);
  element?.focus();
  return element !== null;
}

/** Moves the focus from row to row by their first link. */
function move(by: number): boolean {
  const links = [...document.querySelectorAll<HTMLElement>('.rows tbody tr:not(.space) a.name')];
  const at = links.indexOf(document.activeElement as HTMLElement);
  const next = links[at < 0 ? 0 : at + by];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  return links.length > 0;
}
