import { completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, StateField, type Text } from '@codemirror/state';
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { parse } from 'yaml';
import { assistance } from './assist';
import { isRecord, pathOf, query } from './api';
import { carry } from './carry';
import { appliedBy } from './managed';
import { Review, type Write } from './review';
import { keepUnsaved, setQuery } from './router';
import { TypeSchema } from './schema';
import type { Json, KubeObject, Resource } from './types';
import { toYaml } from './yaml';

const MANAGER = 'keelson-console';

/** The colours of the page: its custom properties reach into the shadow root. */
const THEME = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', color: 'var(--text)', backgroundColor: 'var(--surface)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--muted)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': { backgroundColor: 'var(--selection)' },
  '.cm-tooltip': { backgroundColor: 'var(--surface)', color: 'var(--text)', border: '1px solid var(--line)', maxWidth: 'min(36rem, 90vw)' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { backgroundColor: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionInfo': { maxHeight: '16rem', overflow: 'auto', padding: '0.4rem 0.6rem' },
  '.explanation': { padding: '0.4rem 0.7rem', maxHeight: '16rem', overflow: 'auto' },
  '.explanation p': { margin: '0.3rem 0 0', whiteSpace: 'pre-wrap' },
  '.cm-panels': { backgroundColor: 'var(--surface)', color: 'var(--text)' },
});

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--number)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
]);

/** Where the editor's view is found once it is made. */
export type View = { current: EditorView | undefined };

type Mode = 'update' | 'apply';

/** What is edited: the object, or what this console has applied of it. */
function textOf(mode: Mode, object: KubeObject): string {
  if (mode === 'apply') {
    return toYaml(appliedBy(MANAGER, object));
  }
  return toYaml(editable(object));
}

/** An object without managedFields, which are left as they are. */
function editable(object: KubeObject): Json {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata } as unknown as Json;
}

/**
 * Edits an object as YAML. An update replaces the object, if nobody else has changed it; an apply
 * sends only the fields that the console is to own (server-side apply). Both are shown as a diff of
 * what the server would store before they are sent.
 */
export function Editor({ type, object }: { type: Resource; object: KubeObject }) {
  const [mode, setMode] = useState<Mode>('update');
  // what the editor began with: the object may change meanwhile
  const [base, setBase] = useState(object);
  // the text of the user on a newer version
  const [carried, setCarried] = useState<string>();
  const [write, setWrite] = useState<Write>();
  const [problem, setProblem] = useState('');
  const view: View = useRef(undefined);
  const schema = useMemo(() => TypeSchema.read(type), [type]);
  const saved = useUnsaved(view, carried !== undefined);
  const changed = object.metadata.resourceVersion !== base.metadata.resourceVersion;
  const send = (force: boolean) => {
    setProblem('');
    try {
      setWrite(writeOf(type, object, mode, view.current!.state.doc.toString(), force));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const load = (text?: string) => {
    setCarried(text);
    setBase(object);
  };
  const keep = () => {
    setProblem('');
    try {
      load(toYaml(carry(editable(base), parse(view.current!.state.doc.toString(), { maxAliasCount: 100 }) as Json, editable(object))!));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  const choose = (chosen: Mode) => {
    setCarried(undefined);
    setMode(chosen);
  };
  return (
    <div class="editor">
      <div class="bar">
        <label>
          <input type="radio" name="mode" checked={mode === 'update'} onChange={() => choose('update')} /> Update the whole object
        </label>
        <label>
          <input type="radio" name="mode" checked={mode === 'apply'} onChange={() => choose('apply')} /> Apply some fields
        </label>
        {changed && mode === 'update' && write === undefined && (
          <button type="button" onClick={keep}>
            Keep my changes on the newer version
          </button>
        )}
        {changed && (
          <button type="button" onClick={() => load()}>
            Load the newer version
          </button>
        )}
      </div>
      {changed && mode === 'update' && <p class="hint">The object has changed since this text was loaded: an update will be refused.</p>}
      {problem && (
        <p class="error" role="alert">
          {problem}
        </p>
      )}
      <div hidden={write !== undefined}>
        <CodeMirror key={`${mode}/${base.metadata.resourceVersion}`} text={carried ?? textOf(mode, base)} view={view} schema={schema} />
        <p class="buttons">
          <button type="button" class="primary" onClick={() => send(false)}>
            Review changes
          </button>
        </p>
      </div>
      {write && (
        <Review write={write} cancel={() => setWrite(undefined)} done={() => {
            saved();
            setQuery({ tab: 'yaml' });
          }} {...(mode === 'apply' ? { force: () => send(true) } : {})} />
      )}
    </div>
  );
}

function writeOf(type: Resource, object: KubeObject, mode: Mode, text: string, force: boolean): Write {
  const edited = parse(text, { maxAliasCount: 100 }) as Json;
  if (!isRecord(edited)) {
    throw new Error('The text is no object.');
  }
  const path = pathOf(type, object.metadata.namespace, object.metadata.name);
  const before = object as unknown as Json;
  return mode === 'update'
    ? { path: path + query({ fieldManager: MANAGER, fieldValidation: 'Strict' }), call: { method: 'PUT', body: JSON.stringify(edited) }, before, verb: 'Update' }
    : {
        path: path + query({ fieldManager: MANAGER, fieldValidation: 'Strict', force: force ? 'true' : undefined }),
        call: { method: 'PATCH', contentType: 'application/apply-patch+yaml', body: JSON.stringify(edited) },
        before,
        verb: force ? 'Apply and take over' : 'Apply',
      };
}

/**
 * Makes the page ask before it leaves an edited text.
 *
 * @param edited whether the editor has begun with an edited text
 * @returns what ends that, for a text that is saved
 */
export function useUnsaved(view: View, edited = false): () => void {
  const stop = useRef(() => {});
  const begun = useRef(edited);
  begun.current = edited;
  useEffect(() => {
    stop.current = keepUnsaved(() => begun.current || (!!view.current && !view.current.state.doc.eq(view.current.state.field(BEGIN))));
    return () => stop.current();
  }, []);
  return () => stop.current();
}

/** The text that an editor began with. */
const BEGIN = StateField.define<Text>({ create: (state) => state.doc, update: (value) => value });

/**
 * The editor itself, in a shadow root: there it sets its styles by adopted style sheets, which the
 * page's security policy allows, while it would write style elements into the page.
 */
export function CodeMirror({ text, view, schema }: { text: string; view: View; schema: Promise<TypeSchema | undefined> }) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: 'open' });
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          BEGIN,
          lineNumbers(),
          foldGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          highlightActiveLine(),
          highlightSelectionMatches(),
          indentUnit.of('  '),
          yaml(),
          syntaxHighlighting(HIGHLIGHT),
          THEME,
          assistance(schema.catch(() => undefined)),
          keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...foldKeymap, ...searchKeymap, indentWithTab]),
          EditorView.contentAttributes.of({ 'aria-label': 'YAML; Escape, then Tab leaves it', spellcheck: 'false', tabindex: '0' }),
        ],
      }),
    });
    view.current = made;
    return () => made.destroy();
  }, []);
  return <div class="codemirror" ref={host} />;
}
