import { keyed } from "@/app/_lib/keyed";
import type { Reference, ReferenceField, ReferenceOperation } from "@/app/_lib/reference";
import { Pill } from "@/app/_ui/pill";

/** The HTTP API for people: every call with its fields and answers, on one page that can be searched and printed. */
export function ReferencePage({ reference }: { reference: Reference }) {
  return (
    <div className="mx-auto grid max-w-[80rem] gap-8 px-4 py-6 lg:grid-cols-[14rem_minmax(0,1fr)] lg:px-8">
      <nav
        aria-label="Contents"
        className="lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:self-start lg:overflow-auto"
      >
        <ul className="flex flex-wrap gap-x-4 gap-y-1 lg:grid">
          {reference.groups.map(({ name }) => (
            <li key={name}>
              <a className="link inline-block min-h-6" href={`#${anchorOf(name)}`}>
                {name}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <main className="grid min-w-0 gap-10">
        <header className="grid max-w-[48rem] gap-3">
          <h1 className="text-xl font-semibold">Countersign API</h1>
          <p className="text-text2">{reference.about}</p>
          <p>
            The same as{" "}
            <a className="link" href="/api/v1/openapi.json">
              OpenAPI 3.1
            </a>
            . Present a key or a token as <code>Authorization: Bearer …</code>.
          </p>
        </header>
        {reference.groups.map(({ name, operations }) => (
          <section key={name} aria-labelledby={anchorOf(name)} className="grid gap-4">
            <h2 id={anchorOf(name)} className="scroll-mt-6 text-lg font-semibold">
              {name}
            </h2>
            {operations.map((operation) => (
              <OperationCard key={operation.id} operation={operation} />
            ))}
          </section>
        ))}
      </main>
    </div>
  );
}

const anchorOf = (name: string) => name.toLowerCase().replace(/\W+/g, "-");

function OperationCard({ operation }: { operation: ReferenceOperation }) {
  return (
    <article aria-labelledby={operation.id} className="card grid gap-3 p-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Pill tone={operation.method === "GET" ? "plain" : "wait"}>{operation.method}</Pill>
        <h3 id={operation.id} className="min-w-0 font-semibold">
          <code className="break-all">{operation.path}</code>
        </h3>
      </div>
      <p>{operation.summary}</p>
      {operation.description ? <Described text={operation.description} /> : null}
      {operation.fields.length > 0 ? <FieldTable fields={operation.fields} /> : null}
      {operation.example ? (
        <pre className="exact rounded-md bg-sunken p-3">
          <code>{operation.example}</code>
        </pre>
      ) : null}
      <details>
        <summary className="min-h-6 text-sm text-text2">Answers</summary>
        <dl className="facts mt-2 text-sm">
          {operation.answers.map(({ status, about }) => (
            <div key={status} className="contents">
              <dt>
                <code>{status}</code>
              </dt>
              <dd>{about}</dd>
            </div>
          ))}
        </dl>
      </details>
    </article>
  );
}

/** OpenAPI descriptions are Markdown; all that ours use of it are words in backticks. */
function Described({ text }: { text: string }) {
  return (
    <p className="text-text2">
      {keyed(text.split("`")).map(({ key, item }, index) =>
        index % 2 === 1 ? <code key={key}>{item}</code> : <span key={key}>{item}</span>,
      )}
    </p>
  );
}

function FieldTable({ fields }: { fields: readonly ReferenceField[] }) {
  return (
    <table className="table table-stack text-sm">
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">In</th>
          <th scope="col">Type</th>
          <th scope="col">About</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.place + field.name}>
            <td>
              <span>
                <code>{field.name}</code>
                {field.isRequired ? <span className="text-text3"> required</span> : null}
              </span>
            </td>
            <td data-label="In">{field.place}</td>
            <td data-label="Type" className="wrap-anywhere">
              {field.type}
            </td>
            <td data-label="About">{field.about || <span className="text-text3">-</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
