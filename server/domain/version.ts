import { z } from "zod";

const MAX_INTEGER = 2_147_483_647;

/** The version of a row, within PostgreSQL's `integer`. */
export const versionSchema = z.int().min(1).max(MAX_INTEGER);

/** A version to read from: none yet is 0. */
export const sinceVersionSchema = z.int().min(0).max(MAX_INTEGER);
