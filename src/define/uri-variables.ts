/*
 * The variables of a URI template, read from its text by the compiler, so that `params` are typed
 * without a schema and a completion for a variable that is not there does not compile.
 */

/** The names of a template's variables: `'shop://{shelf}/{sku}'` has `'shelf' | 'sku'`. */
export type VariableOf<Uri extends string> = string extends Uri
  ? string
  : Uri extends `${string}{${infer Expression}}${infer Rest}`
    ? NameOf<Expression> | VariableOf<Rest>
    : never

/** What a template's variables hold. Those of `{/a}` and `{?a,b}` may be absent. */
export type ValuesOf<Uri extends string> = string extends Uri
  ? Readonly<Record<string, string>>
  : Flat<ValuesIn<Uri>>

type ValuesIn<Uri extends string> = Uri extends `${string}{${infer Expression}}${infer Rest}`
  ? ValuesOfExpression<Expression> & ValuesIn<Rest>
  : unknown

type ValuesOfExpression<Expression extends string> = Expression extends `${'/' | '?'}${string}`
  ? { readonly [Name in NameOf<Expression>]?: string }
  : { readonly [Name in NameOf<Expression>]: string }

type NameOf<Expression extends string> = Expression extends `${'+' | '/' | '?'}${infer Names}`
  ? Split<Names>
  : Split<Expression>

type Split<Names extends string> = Names extends `${infer Name},${infer Rest}`
  ? Name | Split<Rest>
  : Names

type Flat<Values> = { readonly [Name in keyof Values]: Values[Name] }
