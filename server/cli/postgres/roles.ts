import pg from "pg";

export type RolePasswords = { readonly owner: string; readonly app: string; readonly system: string };

const ROLES = { owner: "countersign_owner", app: "countersign_app", system: "countersign_system" } as const;

/** Makes or updates the three login roles. None is a superuser, bypasses row-level security or makes roles. */
export async function ensureRoles(superuserUrl: string, passwords: RolePasswords): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    for (const [part, role] of Object.entries(ROLES)) {
      const found = await client.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [role]);
      const password = client.escapeLiteral(passwords[part as keyof RolePasswords]);
      const verb = found.rowCount === 0 ? "CREATE" : "ALTER";
      await client.query(
        `${verb} ROLE ${role} LOGIN NOSUPERUSER NOBYPASSRLS NOCREATEDB NOCREATEROLE NOREPLICATION PASSWORD ${password}`,
      );
    }
  } finally {
    await client.end();
  }
}

/** Makes a database that `countersign_owner` owns, unless it exists. `template` is copied when given. */
export async function ensureDatabase(superuserUrl: string, name: string, template?: string): Promise<void> {
  const client = new pg.Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    const found = await client.query("SELECT 1 FROM pg_database WHERE datname = $1", [name]);
    if (found.rowCount !== 0) return;
    const copied = template ? ` TEMPLATE ${client.escapeIdentifier(template)}` : "";
    const database = client.escapeIdentifier(name);
    await client.query(`CREATE DATABASE ${database} OWNER ${ROLES.owner}${copied}`);
    await client.query(`REVOKE CONNECT, TEMPORARY ON DATABASE ${database} FROM PUBLIC`);
    await client.query(`GRANT CONNECT ON DATABASE ${database} TO ${ROLES.app}, ${ROLES.system}`);
  } finally {
    await client.end();
  }
}

/** The three connections to the database `name` on the server of `superuserUrl`. */
export function roleUrls(superuserUrl: string, name: string, passwords: RolePasswords) {
  const url = (part: keyof RolePasswords) => {
    const target = new URL(superuserUrl);
    target.username = ROLES[part];
    target.password = passwords[part];
    target.pathname = `/${name}`;
    return target.toString();
  };
  return { ownerUrl: url("owner"), appUrl: url("app"), systemUrl: url("system") };
}
