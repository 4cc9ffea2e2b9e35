-- Why a person paused an agent or let it go on last. Sealed: what people write is content. The column has no default: the
-- table is held for a moment and not rewritten.
ALTER TABLE agent ADD COLUMN pause_note BYTEA;
