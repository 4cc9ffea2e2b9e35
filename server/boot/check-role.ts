import pg from "pg";

/** The environment or what it names does not let the server start. The message is one line for the operator. */
export class BootError extends Error {
  override readonly name = "BootError";
}

type Privileges = {
  readonly role: string;
  readonly isSuperuser: boolean;
  readonly bypassesRls: boolean;
  readonly ownsTables: boolean;
  readonly mayMakeRoles: boolean;
  readonly isMember: boolean;
};

/** All roles that the login can act as count, not the login alone. */
const QUERY = `
  WITH mine AS (SELECT r.* FROM pg_roles r WHERE pg_has_role(current_user, r.oid, 'MEMBER'))
  SELECT current_user AS role,
    (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) OR coalesce(bool_or(rolsuper), false) AS "isSuperuser",
    coalesce(bool_or(rolbypassrls), false) AS "bypassesRls",
    coalesce(bool_or(rolcreaterole), false) AS "mayMakeRoles",
    EXISTS (SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE n.nspname IN ('public', 'app') AND c.relowner IN (SELECT oid FROM mine))
      OR EXISTS (SELECT 1 FROM pg_database d WHERE d.datname = current_database() AND d.datdba IN (SELECT oid FROM mine))
      AS "ownsTables",
    coalesce(bool_or(rolname = $1), false) AS "isMember"
  FROM mine`;

function faultOf(found: Privileges, wanted: string): string | null {
  if (found.isSuperuser) return "is a superuser";
  if (found.bypassesRls) return "bypasses row-level security";
  if (found.ownsTables) return "owns tables or the database";
  if (found.mayMakeRoles) return "may make roles";
  if (!found.isMember) return `is not ${wanted} nor a member of it`;
  return null;
}

const reasonOf = (error: unknown) => {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return code || (error instanceof Error ? error.name : "unknown");
};

/**
 * Connects with what `variable` names and refuses a login under which the database would not hold tenants apart.
 * Throws BootError.
 */
export async function checkRole(variable: string, url: string, wanted: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  let found: Privileges | undefined;
  try {
    await client.connect();
    found = (await client.query<Privileges>(QUERY, [wanted])).rows[0];
  } catch (cause) {
    const { hostname, port } = new URL(url);
    throw new BootError(`${variable}: no database answers at ${hostname}:${port || 5432} (${reasonOf(cause)}).`, {
      cause,
    });
  } finally {
    await client.end().catch(() => undefined);
  }
  const fault = found ? faultOf(found, wanted) : "is unknown to the database";
  if (fault) {
    throw new BootError(`${variable} logs in as ${found?.role}, which ${fault}; the server must log in as ${wanted}.`);
  }
}
