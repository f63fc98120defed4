import "./kinds.css";
import { Head, show } from "../shared/frame";
import { useFetched, type KindSummary } from "../shared/kinds";
import { texts } from "../texts";
import { typeName, variants, type Field, type Schema } from "./schema";

type Part = keyof typeof texts.parts;

/** A kind as `/v1/kinds/{kind}` describes it. */
interface Kind extends KindSummary {
  schemas: Record<Part | "options", Schema>;
  glossary: Record<string, string>;
}

const PARTS = Object.keys(texts.parts) as Part[];

function Kinds() {
  const kinds = useFetched<{ items: KindSummary[] }>("/v1/kinds");
  const items = kinds.state === "there" ? kinds.value.items : [];
  return (
    <>
      <Head page="/docs/kinds" />
      <main className="kinds">
        <h1>{texts.kindsTitle}</h1>
        <p className="lead">{texts.kindsIntro}</p>
        {kinds.state === "waiting" && <p>{texts.loading}</p>}
        {kinds.state === "failed" && <p role="alert">{kinds.why}</p>}
        <nav aria-label={texts.kinds} className="chips">
          {items.map(({ kind, name }) => (
            <a key={kind} href={`#${kind}`}>
              {name}
            </a>
          ))}
        </nav>
        {items.map((item) => (
          <KindView key={item.kind} summary={item} />
        ))}
      </main>
    </>
  );
}

function KindView({ summary }: { summary: KindSummary }) {
  const whole = useFetched<Kind>(`/v1/kinds/${summary.kind}`);
  const { seats, minutes } = summary;
  const facts = [
    texts.players(seats.least, seats.most),
    texts.minutes(minutes.least, minutes.most),
    summary.hidden ? texts.hidden : texts.open,
    summary.simultaneous ? texts.simultaneous : texts.inTurn,
    texts.rulesVersion(summary.rulesVersion),
  ];
  return (
    <article id={summary.kind}>
      <h2>
        {summary.name} <code>{summary.kind}</code>
      </h2>
      <ul className="facts">
        {facts.map((fact) => (
          <li key={fact}>{fact}</li>
        ))}
      </ul>
      <p className="rules">{summary.summary}</p>
      {whole.state === "failed" && <p role="alert">{whole.why}</p>}
      {whole.state === "there" && <Details kind={whole.value} />}
    </article>
  );
}

function Details({ kind }: { kind: Kind }) {
  const { options } = kind.schemas;
  const names = Object.entries(kind.glossary);
  return (
    <>
      <h3>{texts.options}</h3>
      {variants(options).map((variant, i) => (
        <Fields key={i} fields={variant.fields} root={options} />
      ))}
      {PARTS.map((part) => (
        <Shapes key={part} title={texts.parts[part]} root={kind.schemas[part]} />
      ))}
      <details>
        <summary>
          {texts.glossary} <small>{names.length}</small>
        </summary>
        <dl className="glossary">
          {names.map(([id, name]) => (
            <div key={id}>
              <dt>
                <code>{id}</code>
              </dt>
              <dd>{name}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

/** A part of a kind: the variants of its values, and the exact schema. */
function Shapes({ title, root }: { title: string; root: Schema }) {
  const shapes = variants(root);
  if (shapes.length === 0) return null;
  return (
    <details>
      <summary>
        {title} <small>{shapes.length > 1 && shapes.length}</small>
      </summary>
      {shapes.map((shape, i) => (
        <section key={i}>
          {shape.name && (
            <h4>
              <code>{shape.name}</code>
            </h4>
          )}
          {shape.description && <p>{shape.description}</p>}
          {shape.fields.length > 0 && <Fields fields={shape.fields} root={root} />}
        </section>
      ))}
      <details className="exact">
        <summary>{texts.jsonSchema}</summary>
        <pre>{JSON.stringify(root, null, 2)}</pre>
      </details>
    </details>
  );
}

function Fields({ fields, root }: { fields: readonly Field[]; root: Schema }) {
  const defaults = fields.some(({ schema }) => schema.default !== undefined);
  return (
    <div className="wide">
      <table>
        <thead>
          <tr>
            <th>{texts.field}</th>
            <th>{texts.type}</th>
            {defaults && <th>{texts.default}</th>}
            <th>{texts.meaning}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, schema, required }) => (
            <tr key={name}>
              <th scope="row">
                <code>{name}</code>
                {!required && !defaults && <small> {texts.optional}</small>}
              </th>
              <td>
                <code className="type">{typeName(schema, root)}</code>
              </td>
              {defaults && <td>{schema.default == null ? texts.nothing : JSON.stringify(schema.default)}</td>}
              <td>{schema.description}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

show(texts.kinds, <Kinds />);
