/** A word that a condition may use: its type and what it means. */
export type RuleWord = { name: string; type: string; about: string };

/** What the form of a rule offers. */
export type RuleWords = { words: readonly RuleWord[]; actions: readonly string[] };
