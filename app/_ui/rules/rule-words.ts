/** A word that a condition may use: its type and what it means. */
export type RuleWord = { name: string; type: string; about: string };
