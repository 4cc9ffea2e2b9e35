import type pg from "pg";
import { closePools } from "@/server/db/pools";
import { canonicalEvent } from "@/server/services/audit/canonical";
import type { Fault } from "@/server/services/audit/chain/diagnose";
import { verifyAudit } from "@/server/services/audit/chain/verify";
import { freshDatabase, type TestDatabase } from "@/test/support/db";
import { type Attacker, aChain, anAttacker, anEntry, anOrganization } from "./fixture";

/** The hands of whoever holds the database, on one organization's log at a time. */
export class Hands {
  readonly #database: TestDatabase;
  readonly #attacker: Attacker;
  orgId = "";

  private constructor(database: TestDatabase, attacker: Attacker) {
    this.#database = database;
    this.#attacker = attacker;
  }

  static async onAFreshDatabase(): Promise<Hands> {
    const database = await freshDatabase();
    return new Hands(database, await anAttacker(database.superuserUrl, database.name));
  }

  async leave(): Promise<void> {
    await this.#attacker.end();
    await closePools();
    await this.#database.drop();
  }

  async anEmptyLog(): Promise<void> {
    this.orgId = await anOrganization();
  }

  /** A chain of twelve in three batches. Returns the ids in the order of the chain. */
  async aChainOfTwelve(): Promise<readonly string[]> {
    await this.anEmptyLog();
    return aChain(this.orgId, 4, 4, 4);
  }

  async firstFault(): Promise<Fault | undefined> {
    return (await verifyAudit(this.orgId)).firstFault;
  }

  run(text: string, values: readonly unknown[] = []): Promise<pg.QueryResult> {
    return this.#attacker.run(text, values);
  }

  setSeal(index: number, column: string, value: unknown): Promise<pg.QueryResult> {
    return this.run(`UPDATE audit_seal SET ${column} = $3 WHERE org_id = $1 AND idx = $2`, [this.orgId, index, value]);
  }

  moveSeal(from: number, to: number): Promise<pg.QueryResult> {
    return this.setSeal(from, "idx", to);
  }

  dropSeal(index: number): Promise<pg.QueryResult> {
    return this.run("DELETE FROM audit_seal WHERE org_id = $1 AND idx = $2", [this.orgId, index]);
  }

  dropEvent(id: string | undefined): Promise<pg.QueryResult> {
    return this.run("DELETE FROM audit_event WHERE org_id = $1 AND id = $2", [this.orgId, id]);
  }

  setEvent(id: string | undefined, column: string, value: unknown): Promise<pg.QueryResult> {
    return this.run(`UPDATE audit_event SET ${column} = $3 WHERE org_id = $1 AND id = $2`, [this.orgId, id, value]);
  }

  addSeal(index: number, eventId: string, link: { previous: Buffer; hash: Buffer }): Promise<pg.QueryResult> {
    return this.run("INSERT INTO audit_seal (org_id, idx, event_id, previous, hash) VALUES ($1, $2, $3, $4, $5)", [
      this.orgId,
      index,
      eventId,
      link.previous,
      link.hash,
    ]);
  }

  async hashAt(index: number): Promise<Buffer> {
    const { rows } = await this.run("SELECT hash FROM audit_seal WHERE org_id = $1 AND idx = $2", [this.orgId, index]);
    return rows[0].hash;
  }

  /** An event of the attacker's own making, with everything an event has but a place in the chain. */
  async forgedEvent(): Promise<{ readonly id: string; readonly leaf: Buffer }> {
    const row = canonicalEvent(this.orgId, anEntry(this.orgId, "Mallory"));
    const leaf = Buffer.from(row.leaf, "base64");
    await this.run(
      `INSERT INTO audit_event (org_id, id, type, request_id, actor_id, agent_id, canonical, leaf)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        this.orgId,
        row.id,
        row.type,
        row.requestId,
        row.actorId,
        row.agentId,
        Buffer.from(row.canonical, "base64"),
        leaf,
      ],
    );
    return { id: row.id, leaf };
  }

  /** The bytes of an entry, saying something else. */
  async rewritten(id: string | undefined): Promise<Buffer> {
    const { rows } = await this.run("SELECT canonical FROM audit_event WHERE org_id = $1 AND id = $2", [
      this.orgId,
      id,
    ]);
    return Buffer.from(rows[0].canonical.toString("utf8").replace('"approver"', '"owner"'), "utf8");
  }
}
