-- A card that cannot show its arguments whole has them as a file in its thread, once; and a phrase of the organization on
-- its cards, by which people know them. New columns with constant defaults or none: nothing is rewritten.

-- `is_file_unsure`: the file may be there without this row knowing of it.
ALTER TABLE slack_card
  ADD COLUMN has_file BOOLEAN NOT NULL DEFAULT false,
  ADD COLUMN is_file_unsure BOOLEAN NOT NULL DEFAULT false;

-- Sealed: whoever reads the database could imitate a card.
ALTER TABLE organization ADD COLUMN sealed_slack_phrase BYTEA;
