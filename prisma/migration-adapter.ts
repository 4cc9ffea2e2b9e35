import { PrismaPg } from "@prisma/adapter-pg";
import { type ColumnType, ColumnTypeEnum, type SqlQuery, type SqlResultSet } from "@prisma/driver-adapter-utils";
import type pg from "pg";

const CHAR_OID = 18;
const BPCHAR_OID = 1042;

/** What the two patches reach into: parts of the adapter that its types keep to themselves. */
type Queryable = {
  queryRaw(query: SqlQuery): Promise<SqlResultSet>;
  performIO(query: SqlQuery): Promise<pg.QueryArrayResult>;
};
type Adapter = Queryable & {
  client: pg.Pool;
  onError(error: unknown): never;
  executeScript(script: string): Promise<void>;
  startTransaction(level?: unknown): Promise<Queryable>;
};

/**
 * The catalogs have a one-byte type, `"char"`, that the adapter does not know; introspection reads it. Such
 * columns pass through the adapter's own reading as `bpchar`.
 */
function readCharColumns<T extends Queryable>(target: T): T {
  const queryRaw = target.queryRaw;
  const performIO = target.performIO.bind(target);
  target.queryRaw = async (query) => {
    const charColumns = new Set<number>();
    const reader = Object.create(target, {
      performIO: {
        value: async (inner: SqlQuery) => {
          const result = await performIO(inner);
          const fields = result.fields.map((field, index) => {
            if (field.dataTypeID !== CHAR_OID) return field;
            charColumns.add(index);
            return { ...field, name: field.name, dataTypeID: BPCHAR_OID };
          });
          return { rows: result.rows, rowCount: result.rowCount, fields };
        },
      },
    });
    const set: SqlResultSet = await queryRaw.call(reader, query);
    const columnTypes: ColumnType[] = set.columnTypes.map((type, index) =>
      charColumns.has(index) ? ColumnTypeEnum.Character : type,
    );
    return { ...set, columnTypes };
  };
  return target;
}

/**
 * The adapter splits scripts at every semicolon, inside function bodies and literals too, and runs the pieces
 * outside a transaction. A script goes to the server whole instead: one simple query is one transaction.
 */
function runScriptsWhole(adapter: Adapter): void {
  adapter.executeScript = async (script) => {
    try {
      await adapter.client.query(script);
    } catch (error) {
      adapter.onError(error);
    }
  };
}

/** The Postgres adapter, fit for the schema engine. One connection, so that advisory locks hold. */
export class MigrationAdapterFactory extends PrismaPg {
  readonly #connected: { dispose(): Promise<void> }[] = [];

  constructor(url: string) {
    super({ connectionString: url, max: 1, connectionTimeoutMillis: 10_000 });
  }

  override async connect() {
    const connected = await super.connect();
    this.#connected.push(connected);
    const adapter = connected as unknown as Adapter;
    runScriptsWhole(adapter);
    readCharColumns(adapter);
    const startTransaction = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (level) => readCharColumns(await startTransaction(level));
    return connected;
  }

  /** Closes every connection: the engine leaves its own open when it is freed. */
  async dispose(): Promise<void> {
    await Promise.all(this.#connected.splice(0).map((adapter) => adapter.dispose()));
  }

  override connectToShadowDb(): Promise<never> {
    return Promise.reject(new Error("The migrator needs no shadow database."));
  }
}
