import { autocompletion, type Completion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import type { EditorState, Extension, Text } from '@codemirror/state';
import { hoverTooltip, type Tooltip } from '@codemirror/view';
import { typeOf, type Schema, type TypeSchema } from './schema';
import type { Json } from './types';

const KEY = /^(\s*)((?:- +)*)(?:"([^"]+)"|'([^']+)'|([^\s#'"{[\]},&*!|>%@`-][^:#]*?)):(?:\s|$)/;

interface LineKey {
  /** The column of the key, behind the dashes of the list items that begin on its line. */
  column: number;
  name: string;
  /** The columns of these dashes. */
  dashes: number[];
}

function keyOf(text: string): LineKey | undefined {
  const found = KEY.exec(text);
  if (!found) {
    return undefined;
  }
  const [, indent = '', dashes = '', one, two, three] = found;
  return { column: indent.length + dashes.length, name: one ?? two ?? three ?? '', dashes: dashesOf(indent.length, dashes) };
}

function dashesOf(begin: number, text: string): number[] {
  return [...text].flatMap((letter, place) => (letter === '-' ? [begin + place] : []));
}

/**
 * The path of the fields around a column of a line, by indentation: block style, which is what the
 * console writes. Items of lists are 0, since their schema does not depend on their place.
 */
export function pathAt(document: Text, line: number, column: number): (string | number)[] {
  const path: (string | number)[] = [];
  let limit = column;
  let items = dashesAbove(document.line(line).text, limit);
  const lift = () => {
    for (let i = items.length - 1; i >= 0 && items[i]! < limit; i--) {
      path.unshift(0);
      limit = items[i]!;
    }
  };
  lift();
  for (let number = line - 1; number >= 1 && limit >= 0; number--) {
    const text = document.line(number).text;
    if (!text.trim() || text.trim().startsWith('#')) {
      continue;
    }
    const key = keyOf(text);
    // the items of a list may be in the column of the key of the list
    const list = path[0] === 0;
    if (key && (key.column < limit || (list && key.column === limit && key.dashes.length === 0))) {
      path.unshift(key.name);
      limit = key.column;
      items = key.dashes;
      lift();
      if (limit === 0 && path[0] !== 0) {
        break;
      }
    } else {
      const dashes = dashesAbove(text, limit);
      if (dashes.length) {
        items = dashes;
        lift();
      }
    }
  }
  return path;
}

/** The dashes at the beginning of a line that are left of a column. */
function dashesAbove(text: string, column: number): number[] {
  const [, indent = '', dashes = ''] = /^(\s*)((?:- +)*)/.exec(text) ?? [];
  return dashesOf(indent.length, dashes).filter((each) => each < column);
}

/** Completes fields and values, and explains fields, by the schema of the type. */
export function assistance(schema: Promise<TypeSchema | undefined>): Extension {
  return [
    autocompletion({ override: [async (context) => completions(context, await schema)], icons: false }),
    hoverTooltip(async (view, position) => {
      const known = await schema;
      return known ? explanation(view.state, position, known) : null;
    }),
  ];
}

function completions(context: CompletionContext, schema: TypeSchema | undefined): CompletionResult | null {
  const line = context.state.doc.lineAt(context.pos);
  const before = line.text.slice(0, context.pos - line.from);
  const value = /^(\s*(?:- +)*)([^\s:]+):\s+(\S*)$/.exec(before);
  if (!schema) {
    return null;
  }
  if (value) {
    const [, indent = '', name = '', begun = ''] = value;
    const field = schema.at([...pathAt(context.state.doc, line.number, indent.length), name]);
    const values = valuesOf(field);
    return values.length ? { from: context.pos - begun.length, options: values.map((each) => ({ label: String(each) })) } : null;
  }
  const key = /^(\s*(?:- +)*)([A-Za-z0-9_.$/-]*)$/.exec(before);
  if (!key || (!key[2] && !context.explicit)) {
    return null;
  }
  const column = key[1]!.length;
  const around = schema.at(pathAt(context.state.doc, line.number, column));
  const options = Object.entries(around?.properties ?? {}).map(([name, field]) => option(name, field, around!, schema));
  return options.length ? { from: line.from + column, options, validFor: /^[A-Za-z0-9_.$/-]*$/ } : null;
}

function valuesOf(field: Schema | undefined): Json[] {
  return field?.enum ?? (field?.type === 'boolean' ? [true, false] : []);
}

function option(name: string, field: Schema, around: Schema, schema: TypeSchema): Completion {
  const known = schema.resolved(field);
  const below = known?.type === 'object' || known?.type === 'array';
  return {
    label: name,
    apply: `${name}:${below ? '' : ' '}`,
    detail: typeOf(field, schema) + (around.required?.includes(name) ? ', required' : ''),
    info: known?.description ?? '',
    boost: around.required?.includes(name) ? 1 : 0,
  };
}

function explanation(state: EditorState, position: number, schema: TypeSchema): Tooltip | null {
  const line = state.doc.lineAt(position);
  const key = keyOf(line.text);
  if (!key || position < line.from + key.column || position > line.from + key.column + key.name.length) {
    return null;
  }
  const path = [...pathAt(state.doc, line.number, key.column), key.name];
  const field = schema.at(path);
  if (!field) {
    return null;
  }
  return {
    pos: line.from + key.column,
    above: true,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'explanation';
      const title = document.createElement('strong');
      title.textContent = `${path.filter((step) => step !== 0).join('.')} <${typeOf(field, schema)}>`;
      const text = document.createElement('p');
      text.textContent = field.description ?? 'It has no description.';
      dom.append(title, text);
      return { dom };
    },
  };
}
