import { get } from './api';
import type { Json, Resource } from './types';

/** A schema of OpenAPI v3, as far as the console reads it. */
export interface Schema {
  type?: string;
  format?: string;
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema | boolean;
  required?: string[];
  enum?: Json[];
  default?: Json;
  $ref?: string;
  allOf?: Schema[];
  'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[];
}

interface Document {
  components?: { schemas?: Record<string, Schema> };
}

const PREFIX = '#/components/schemas/';

/** The schema of a type, custom resources included, from the server's OpenAPI v3 document of its version. */
export class TypeSchema {
  private readonly schemas: Record<string, Schema>;
  readonly root: Schema;

  constructor(schemas: Record<string, Schema>, root: Schema) {
    this.schemas = schemas;
    this.root = root;
  }

  static async read(type: Resource): Promise<TypeSchema | undefined> {
    const index = await get<{ paths: Record<string, { serverRelativeURL: string }> }>('/openapi/v3');
    const address = index.paths[type.group ? `apis/${type.group}/${type.version}` : `api/${type.version}`]?.serverRelativeURL;
    if (!address) {
      return undefined;
    }
    const document = await get<Document>(address);
    const schemas = document.components?.schemas ?? {};
    const root = Object.values(schemas).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some((each) => each.group === type.group && each.version === type.version && each.kind === type.kind),
    );
    return root ? new TypeSchema(schemas, root) : undefined;
  }

  /** A schema with what it refers to; its own description precedes. */
  resolved(schema: Schema | undefined): Schema | undefined {
    const target = schema?.$ref ?? (schema?.allOf?.length === 1 ? schema.allOf[0]?.$ref : undefined);
    if (!schema || !target) {
      return schema;
    }
    const { $ref: _ref, allOf: _all, ...own } = schema;
    return { ...this.resolved(this.schemas[target.slice(PREFIX.length)]), ...own };
  }

  /** The schema of the field at a path: names, and numbers or "[]" for items of lists. */
  at(path: (string | number)[]): Schema | undefined {
    let schema = this.resolved(this.root);
    for (const step of path) {
      if (!schema) {
        return undefined;
      }
      const further = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
      schema = this.resolved(typeof step === 'number' ? schema.items : (schema.properties?.[step] ?? further));
    }
    return schema;
  }

  /** The smallest value that has every required field. */
  smallest(schema: Schema | undefined, depth = 0): Json {
    const known = this.resolved(schema);
    if (!known || depth > 8) {
      return {};
    }
    if (known.default !== undefined && known.default !== null && JSON.stringify(known.default) !== '{}') {
      return known.default;
    }
    if (known.enum?.length) {
      return known.enum[0] ?? null;
    }
    switch (known.type) {
      case 'object': {
        const made: { [key: string]: Json } = {};
        for (const name of known.required ?? []) {
          made[name] = this.smallest(known.properties?.[name], depth + 1);
        }
        return made;
      }
      case 'array':
        return [this.smallest(known.items, depth + 1)];
      case 'integer':
      case 'number':
        return 1;
      case 'boolean':
        return false;
      case 'string':
        return 'example';
      default:
        return {};
    }
  }
}

/** The type of a field as kubectl explain writes it. */
export function typeOf(schema: Schema | undefined, all: TypeSchema): string {
  const known = all.resolved(schema);
  if (known?.type === 'array') {
    return `[]${typeOf(known.items, all)}`;
  }
  if (typeof known?.additionalProperties === 'object') {
    return `map[string]${typeOf(known.additionalProperties, all)}`;
  }
  return known?.format ?? known?.type ?? 'any';
}
