/** The keywords of JSON Schema that the server uses. */
export interface Schema {
  $ref?: string;
  $defs?: Record<string, Schema>;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  description?: string;
  minimum?: number;
  maximum?: number;
  items?: Schema;
  prefixItems?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
}

/** One variant of a value, such as `DISCARD`, with its fields. */
export interface Variant {
  name: string | null;
  description: string | undefined;
  fields: Field[];
}

export interface Field {
  name: string;
  schema: Schema;
  required: boolean;
}

const nameOf = (reference: string): string => reference.split("/").at(-1) ?? reference;

/** The target of a reference within its document. */
export function resolve(schema: Schema, root: Schema): Schema {
  return schema.$ref ? (root.$defs?.[nameOf(schema.$ref)] ?? schema) : schema;
}

/** The variants of a schema: one for a plain object, several if a `type` discriminates them. */
export function variants(root: Schema): Variant[] {
  const seen = new Set<Schema>();
  const open = (schema: Schema): Variant[] => {
    const whole = resolve(schema, root);
    if (seen.has(whole)) return [];
    seen.add(whole);
    const choices = whole.oneOf ?? whole.anyOf;
    if (choices && !whole.properties) return choices.flatMap(open);
    if (!whole.properties) return [];
    const tag = whole.properties["type"]?.const;
    const fields = Object.entries(whole.properties)
      .filter(([name]) => name !== "type" || tag === undefined)
      .map(([name, schema]) => ({ name, schema, required: whole.required?.includes(name) ?? false }));
    return [{ name: typeof tag === "string" ? tag : null, description: whole.description, fields }];
  };
  return open(root);
}

/** A type in a few words: `integer 1–20 or null`, `list of ChipsCard`. */
export function typeName(schema: Schema, root: Schema): string {
  if (schema.$ref) {
    const name = nameOf(schema.$ref);
    const target = resolve(schema, root);
    return target.properties || target.oneOf || target.enum ? name : typeName(target, root);
  }
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.map((choice) => typeName(choice, root)).join(" | ");
  const types = [schema.type ?? "any"].flat();
  return types.map((type) => oneType(type, schema, root)).join(" | ");
}

function oneType(type: string, schema: Schema, root: Schema): string {
  if (type === "array" && schema.items) return `[${typeName(schema.items, root)}]`;
  if (type === "array" && schema.prefixItems) {
    return `[${schema.prefixItems.map((item) => typeName(item, root)).join(", ")}]`;
  }
  const bounded = (type === "integer" || type === "number") && schema.maximum !== undefined;
  return bounded ? `${type} ${schema.minimum ?? 0}–${schema.maximum}` : type;
}
