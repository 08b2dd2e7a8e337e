-- What one segment stores: every table and column of a database, with its meaning.
--
-- A segment is written once and never changed, so nothing here has keys or constraints: identity is
-- settled before a row is written (ingest.py). A reader sees all segments as one (reader.py), and through
-- views.sql the relations that are computed from these. Amounts are exact DECIMAL(18,3) in the hand's
-- currency; times are instants; seats and events are indices from 0; cards are canonical texts ('3S 10H').

CREATE TABLE hands (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    content_sha256 VARCHAR NOT NULL,
    rules_id VARCHAR NOT NULL,
    rules_sha256 VARCHAR NOT NULL,
    stake DECIMAL(18,3) NOT NULL,
    currency VARCHAR NOT NULL,
    session_id VARCHAR,
    table_id VARCHAR,
    evening VARCHAR NOT NULL,
    hand_no INTEGER,
    played_at TIMESTAMPTZ,
    played_on DATE,
    player_count UTINYINT NOT NULL,
    lead_reason VARCHAR,
    lead_seat UTINYINT,
    outcome VARCHAR NOT NULL,
    next_lead_reason VARCHAR,
    next_lead_seat UTINYINT,
    has_forfeit BOOLEAN NOT NULL,
    severity VARCHAR NOT NULL,
    violation_count USMALLINT NOT NULL,
    event_count USMALLINT NOT NULL,
    disputed_from USMALLINT,
    places_check VARCHAR NOT NULL,
    net_check VARCHAR NOT NULL,
    revised_by VARCHAR,
    revised_at TIMESTAMPTZ,
    revision_reason VARCHAR,
    engine VARCHAR NOT NULL,
    ingested_at TIMESTAMPTZ NOT NULL,
    source_path VARCHAR NOT NULL,
    source_line BIGINT,
    source_index BIGINT,
    source_offset BIGINT NOT NULL,
    -- Named outright: left to choose, DuckDB takes twice the space and four times the time for these texts.
    log VARCHAR NOT NULL USING COMPRESSION zstd
);
COMMENT ON TABLE hands IS 'One row per hand (ván) in force: the revision with the highest number. Its identity is club_id and hand_id.';
COMMENT ON COLUMN hands.hand_key IS 'Number of this revision of the hand within this database; joins the relations, means nothing outside.';
COMMENT ON COLUMN hands.club_id IS 'Club, with hand_id the identity of the hand; empty where the log names none.';
COMMENT ON COLUMN hands.hand_id IS 'The log''s own id of the hand.';
COMMENT ON COLUMN hands.revision IS 'Number of the revision, from 1.';
COMMENT ON COLUMN hands.content_sha256 IS 'SHA-256 (hex) of the canonical form of the log.';
COMMENT ON COLUMN hands.rules_id IS 'Id of the rule set; rule_sets.id.';
COMMENT ON COLUMN hands.rules_sha256 IS 'SHA-256 (hex) over the rule set''s values; rule_sets.sha256.';
COMMENT ON COLUMN hands.stake IS 'One stake (cược) in the currency.';
COMMENT ON COLUMN hands.currency IS 'ISO 4217 code, or POINT, or CHIP.';
COMMENT ON COLUMN hands.session_id IS 'The log''s own id of the session (evening); null where it names none.';
COMMENT ON COLUMN hands.table_id IS 'The log''s own id of the table; null where it names none.';
COMMENT ON COLUMN hands.evening IS 'The evening within the club: the session_id, else table and calendar day, else the source.';
COMMENT ON COLUMN hands.hand_no IS 'Order within the session, from 1.';
COMMENT ON COLUMN hands.played_at IS 'When the hand was played.';
COMMENT ON COLUMN hands.played_on IS 'Calendar day of played_at at the place where it was written down.';
COMMENT ON COLUMN hands.player_count IS 'Number of players, 2 to 4.';
COMMENT ON COLUMN hands.lead_reason IS 'Why the first leader leads, as the log states it: opening, won_previous, forfeited_previous, agreed.';
COMMENT ON COLUMN hands.lead_seat IS 'Seat of the first leader, as the log states it.';
COMMENT ON COLUMN hands.outcome IS 'finished, instant_win, redeal or unfinished.';
COMMENT ON COLUMN hands.next_lead_reason IS 'Why the next hand''s leader leads.';
COMMENT ON COLUMN hands.next_lead_seat IS 'Seat that leads the next hand; null where it opens anew or is undecided.';
COMMENT ON COLUMN hands.has_forfeit IS 'Whether a forfeit (đền bài) was found, however sure it is.';
COMMENT ON COLUMN hands.severity IS 'Worst severity among the hand''s violations: error, warning, info or none.';
COMMENT ON COLUMN hands.violation_count IS 'Number of the hand''s rows in violations, infos included.';
COMMENT ON COLUMN hands.event_count IS 'Number of events in the log.';
COMMENT ON COLUMN hands.disputed_from IS 'Index of the first event with an error; null if there is none.';
COMMENT ON COLUMN hands.places_check IS 'The recorded places against the replay''s: agrees, differs or absent.';
COMMENT ON COLUMN hands.net_check IS 'The recorded amounts against the replay''s: agrees, differs or absent.';
COMMENT ON COLUMN hands.revised_by IS 'Who made this revision, as the log says.';
COMMENT ON COLUMN hands.revised_at IS 'When this revision was made, as the log says.';
COMMENT ON COLUMN hands.revision_reason IS 'Why this revision was made, as the log says.';
COMMENT ON COLUMN hands.engine IS 'Version of the program that judged the hand.';
COMMENT ON COLUMN hands.ingested_at IS 'When the hand was taken in.';
COMMENT ON COLUMN hands.source_path IS 'File the record came from; - is standard input.';
COMMENT ON COLUMN hands.source_line IS 'Line of the record, from 1; null in an array.';
COMMENT ON COLUMN hands.source_index IS 'Index of the record in its array, from 0; null outside arrays.';
COMMENT ON COLUMN hands.source_offset IS 'Byte offset of the record in the (unpacked) source.';
COMMENT ON COLUMN hands.log IS 'The record as it was read, byte for byte.';

CREATE TABLE superseded (hand_key BIGINT NOT NULL);
COMMENT ON TABLE superseded IS 'Revisions that are no longer in force, or came in late below the one that is.';
COMMENT ON COLUMN superseded.hand_key IS 'The revision; revisions.hand_key.';

CREATE TABLE seats (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    seat UTINYINT NOT NULL,
    player_id VARCHAR NOT NULL,
    name VARCHAR,
    place UTINYINT,
    net DECIMAL(18,3) NOT NULL,
    frozen BOOLEAN NOT NULL,
    left_early BOOLEAN NOT NULL,
    instant_win VARCHAR,
    cards_left UTINYINT NOT NULL
);
COMMENT ON TABLE seats IS 'One row per hand and seat: who sat there and what came of it.';
COMMENT ON COLUMN seats.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN seats.club_id IS 'The hand''s club.';
COMMENT ON COLUMN seats.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN seats.seat IS 'Index into the players, counter-clockwise.';
COMMENT ON COLUMN seats.player_id IS 'The player.';
COMMENT ON COLUMN seats.name IS 'The player''s name as this log has it.';
COMMENT ON COLUMN seats.place IS 'Place from 1 (first); null while undecided and after an instant win or a redeal.';
COMMENT ON COLUMN seats.net IS 'What the seat won or lost in this hand; the sum of its transfers.';
COMMENT ON COLUMN seats.frozen IS 'Whether the seat was frozen (cóng).';
COMMENT ON COLUMN seats.left_early IS 'Whether the seat left before the hand was over.';
COMMENT ON COLUMN seats.instant_win IS 'Id of the instant win (tới trắng) the seat was paid for; null if none.';
COMMENT ON COLUMN seats.cards_left IS 'Cards the seat held when the log ended.';

CREATE TABLE acts (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    type VARCHAR[] NOT NULL,
    seat UTINYINT[] NOT NULL,
    cards VARCHAR[] NOT NULL,
    at_seconds DOUBLE[] NOT NULL,
    trick USMALLINT[] NOT NULL,
    details VARCHAR[] NOT NULL
);
COMMENT ON TABLE acts IS 'The events of each hand as parallel lists, one row per hand; events is the same with one row per event.';
COMMENT ON COLUMN acts.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN acts.club_id IS 'The hand''s club.';
COMMENT ON COLUMN acts.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN acts.type IS 'Types of the events, in the order in which they happened.';
COMMENT ON COLUMN acts.seat IS 'Seats that acted; null in a note of nobody''s.';
COMMENT ON COLUMN acts.cards IS 'Cards of each event, weakest first; null where it has none.';
COMMENT ON COLUMN acts.at_seconds IS 'Seconds since the deal; null where the log has no time.';
COMMENT ON COLUMN acts.trick IS 'Number of the trick each event belongs to, from 1; 0 before the first play.';
COMMENT ON COLUMN acts.details IS 'The event''s other keys as a JSON object; null where it has none.';

CREATE TABLE violations (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    number USMALLINT NOT NULL,
    code VARCHAR NOT NULL,
    event USMALLINT,
    seat UTINYINT,
    severity VARCHAR NOT NULL,
    certainty VARCHAR NOT NULL,
    rule VARCHAR NOT NULL,
    facts JSON NOT NULL,
    message_vi VARCHAR NOT NULL,
    message_en VARCHAR NOT NULL
);
COMMENT ON TABLE violations IS 'One row per violation, or thing worth knowing, found in a hand.';
COMMENT ON COLUMN violations.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN violations.club_id IS 'The hand''s club.';
COMMENT ON COLUMN violations.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN violations.number IS 'Order within the hand, from 0.';
COMMENT ON COLUMN violations.code IS 'Stable code of the violation.';
COMMENT ON COLUMN violations.event IS 'Index of the event; null for the deal or the end of the hand.';
COMMENT ON COLUMN violations.seat IS 'Seat at fault, or concerned; null if none.';
COMMENT ON COLUMN violations.severity IS 'error, warning or info.';
COMMENT ON COLUMN violations.certainty IS 'certain, possible or undecidable.';
COMMENT ON COLUMN violations.rule IS 'The rule applied: a knob of the rule set, or law.… for what every house shares.';
COMMENT ON COLUMN violations.facts IS 'The facts behind it.';
COMMENT ON COLUMN violations.message_vi IS 'The violation as a Vietnamese sentence.';
COMMENT ON COLUMN violations.message_en IS 'The violation as an English sentence.';

CREATE TABLE missed_blocks (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    event USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    certainty VARCHAR NOT NULL
);
COMMENT ON TABLE missed_blocks IS 'One row per pass by a seat that had, or may have had, a legal play. The plays are computed when a hand is opened.';
COMMENT ON COLUMN missed_blocks.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN missed_blocks.club_id IS 'The hand''s club.';
COMMENT ON COLUMN missed_blocks.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN missed_blocks.event IS 'Index of the pass.';
COMMENT ON COLUMN missed_blocks.seat IS 'Seat that passed.';
COMMENT ON COLUMN missed_blocks.certainty IS 'certain, or possible where only unknown cards could decide.';

CREATE TABLE forfeits (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    seat UTINYINT NOT NULL,
    kind VARCHAR NOT NULL,
    event USMALLINT NOT NULL,
    certainty VARCHAR NOT NULL,
    rule VARCHAR NOT NULL
);
COMMENT ON TABLE forfeits IS 'One row per hand with a forfeit (đền bài). It is charged only where it is certain.';
COMMENT ON COLUMN forfeits.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN forfeits.club_id IS 'The hand''s club.';
COMMENT ON COLUMN forfeits.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN forfeits.seat IS 'Seat that forfeits.';
COMMENT ON COLUMN forfeits.kind IS 'all_frozen, hoarded_bomb, one_card_duty or exposed.';
COMMENT ON COLUMN forfeits.event IS 'Index of the act that was the fault.';
COMMENT ON COLUMN forfeits.certainty IS 'certain, possible or undecidable.';
COMMENT ON COLUMN forfeits.rule IS 'The knob that makes it a forfeit.';

CREATE TABLE chops (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    event USMALLINT NOT NULL,
    seat UTINYINT NOT NULL,
    victim UTINYINT NOT NULL,
    cards VARCHAR NOT NULL,
    beaten VARCHAR NOT NULL,
    link USMALLINT NOT NULL,
    amount DECIMAL(18,3) NOT NULL,
    paid BOOLEAN NOT NULL
);
COMMENT ON TABLE chops IS 'One row per chop (chặt): a link of a chain.';
COMMENT ON COLUMN chops.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN chops.club_id IS 'The hand''s club.';
COMMENT ON COLUMN chops.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN chops.event IS 'Index of the chop.';
COMMENT ON COLUMN chops.seat IS 'Seat that chopped.';
COMMENT ON COLUMN chops.victim IS 'Seat whose cards were chopped.';
COMMENT ON COLUMN chops.cards IS 'Cards that chopped.';
COMMENT ON COLUMN chops.beaten IS 'Cards that were chopped.';
COMMENT ON COLUMN chops.link IS 'Place in the chain, from 1.';
COMMENT ON COLUMN chops.amount IS 'The link''s own price.';
COMMENT ON COLUMN chops.paid IS 'Whether this victim pays.';

CREATE TABLE transfers (
    hand_key BIGINT NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    number USMALLINT NOT NULL,
    from_seat UTINYINT,
    to_seat UTINYINT,
    from_player VARCHAR,
    to_player VARCHAR,
    amount DECIMAL(18,3) NOT NULL,
    reason VARCHAR NOT NULL,
    event USMALLINT,
    rule VARCHAR NOT NULL,
    facts JSON NOT NULL
);
COMMENT ON TABLE transfers IS 'One row per payment of a hand: who pays whom, how much and why.';
COMMENT ON COLUMN transfers.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN transfers.club_id IS 'The hand''s club.';
COMMENT ON COLUMN transfers.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN transfers.number IS 'Order within the hand, from 0.';
COMMENT ON COLUMN transfers.from_seat IS 'Seat that pays; null is the bank.';
COMMENT ON COLUMN transfers.to_seat IS 'Seat that is paid; null is the bank.';
COMMENT ON COLUMN transfers.from_player IS 'Player who pays; null is the bank.';
COMMENT ON COLUMN transfers.to_player IS 'Player who is paid; null is the bank.';
COMMENT ON COLUMN transfers.amount IS 'What is paid.';
COMMENT ON COLUMN transfers.reason IS 'place, chop, rotten, frozen, instant_win, forfeit, card_count, finish_with_two, sweep_broken, three_of_spades, cap or ruling.';
COMMENT ON COLUMN transfers.event IS 'Index of the event that caused it; null where the end of the hand did.';
COMMENT ON COLUMN transfers.rule IS 'The rule that caused it.';
COMMENT ON COLUMN transfers.facts IS 'What the amount is made of, and whose debt was paid.';

CREATE TABLE rule_sets (
    id VARCHAR NOT NULL,
    sha256 VARCHAR NOT NULL,
    title_vi VARCHAR,
    title_en VARCHAR,
    text JSON NOT NULL,
    provenance JSON NOT NULL
);
COMMENT ON TABLE rule_sets IS 'One row per rule set that hands were judged under.';
COMMENT ON COLUMN rule_sets.id IS 'Id of the rule set.';
COMMENT ON COLUMN rule_sets.sha256 IS 'SHA-256 (hex) of text.';
COMMENT ON COLUMN rule_sets.title_vi IS 'Its Vietnamese title.';
COMMENT ON COLUMN rule_sets.title_en IS 'Its English title.';
COMMENT ON COLUMN rule_sets.text IS 'The value of every knob, as canonical JSON.';
COMMENT ON COLUMN rule_sets.provenance IS 'On what ground each value stands.';

CREATE TABLE readings (
    path VARCHAR NOT NULL,
    sha256 VARCHAR,
    read_at TIMESTAMPTZ NOT NULL,
    records BIGINT NOT NULL,
    accepted BIGINT NOT NULL,
    unchanged BIGINT NOT NULL,
    superseded BIGINT NOT NULL,
    conflicting BIGINT NOT NULL,
    quarantined BIGINT NOT NULL
);
COMMENT ON TABLE readings IS 'One row each time a source was read; sources shows the last reading of each.';
COMMENT ON COLUMN readings.path IS 'The file; - is standard input.';
COMMENT ON COLUMN readings.sha256 IS 'SHA-256 (hex) of its bytes; null where it could not be read.';
COMMENT ON COLUMN readings.read_at IS 'When it was read.';
COMMENT ON COLUMN readings.records IS 'Records read: the sum of the five counts after it.';
COMMENT ON COLUMN readings.accepted IS 'Records that became new hands.';
COMMENT ON COLUMN readings.unchanged IS 'Records that were known already, with the same content.';
COMMENT ON COLUMN readings.superseded IS 'Records that are another revision of a known hand.';
COMMENT ON COLUMN readings.conflicting IS 'Records with the identity and revision of a known hand but other content.';
COMMENT ON COLUMN readings.quarantined IS 'Records that were refused.';

CREATE TABLE quarantine (
    source_path VARCHAR NOT NULL,
    source_sha256 VARCHAR,
    source_line BIGINT,
    source_index BIGINT,
    source_offset BIGINT NOT NULL,
    quarantined_at TIMESTAMPTZ NOT NULL,
    reason VARCHAR NOT NULL,
    json_path VARCHAR NOT NULL,
    found VARCHAR NOT NULL,
    expected_vi VARCHAR NOT NULL,
    expected_en VARCHAR NOT NULL,
    fix_vi VARCHAR,
    fix_en VARCHAR,
    message_vi VARCHAR NOT NULL,
    message_en VARCHAR NOT NULL,
    raw BLOB NOT NULL
);
COMMENT ON TABLE quarantine IS 'One row per record that was refused, with everything needed to mend it.';
COMMENT ON COLUMN quarantine.source_path IS 'File the record came from; - is standard input.';
COMMENT ON COLUMN quarantine.source_sha256 IS 'SHA-256 (hex) of the file''s bytes; null for standard input or where it could not be read.';
COMMENT ON COLUMN quarantine.source_line IS 'Line of the record, from 1; null in an array.';
COMMENT ON COLUMN quarantine.source_index IS 'Index of the record in its array, from 0; null outside arrays.';
COMMENT ON COLUMN quarantine.source_offset IS 'Byte offset of the record in the (unpacked) source.';
COMMENT ON COLUMN quarantine.quarantined_at IS 'When it was first refused.';
COMMENT ON COLUMN quarantine.reason IS 'Stable reason code.';
COMMENT ON COLUMN quarantine.json_path IS 'The offending field, such as events[12].cards[0]; empty for the whole record.';
COMMENT ON COLUMN quarantine.found IS 'What stood there.';
COMMENT ON COLUMN quarantine.expected_vi IS 'What was expected, in Vietnamese.';
COMMENT ON COLUMN quarantine.expected_en IS 'What was expected, in English.';
COMMENT ON COLUMN quarantine.fix_vi IS 'A suggested fix in Vietnamese, where one is evident.';
COMMENT ON COLUMN quarantine.fix_en IS 'A suggested fix in English, where one is evident.';
COMMENT ON COLUMN quarantine.message_vi IS 'The whole explanation in Vietnamese, a line for each thing that is wrong.';
COMMENT ON COLUMN quarantine.message_en IS 'The whole explanation in English, a line for each thing that is wrong.';
COMMENT ON COLUMN quarantine.raw IS 'The record''s bytes, cut at 64 KiB; they need not be UTF-8.';

CREATE TABLE mended (
    source_path VARCHAR NOT NULL,
    source_sha256 VARCHAR,
    source_offset BIGINT NOT NULL,
    quarantined_at TIMESTAMPTZ NOT NULL,
    reason VARCHAR NOT NULL,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL
);
COMMENT ON TABLE mended IS 'One row per refused record that was mended and taken in; its first five columns are those of its row in quarantine.';
COMMENT ON COLUMN mended.source_path IS 'quarantine.source_path.';
COMMENT ON COLUMN mended.source_sha256 IS 'quarantine.source_sha256.';
COMMENT ON COLUMN mended.source_offset IS 'quarantine.source_offset.';
COMMENT ON COLUMN mended.quarantined_at IS 'quarantine.quarantined_at.';
COMMENT ON COLUMN mended.reason IS 'quarantine.reason.';
COMMENT ON COLUMN mended.club_id IS 'Club of the hand it became.';
COMMENT ON COLUMN mended.hand_id IS 'Id of the hand it became.';
COMMENT ON COLUMN mended.revision IS 'Revision of the hand it became.';

CREATE TABLE conflicts (
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    revision INTEGER NOT NULL,
    kept_sha256 VARCHAR NOT NULL,
    content_sha256 VARCHAR NOT NULL,
    found_at TIMESTAMPTZ NOT NULL,
    source_path VARCHAR NOT NULL,
    source_line BIGINT,
    source_index BIGINT,
    source_offset BIGINT NOT NULL,
    differences JSON NOT NULL,
    log VARCHAR NOT NULL
);
COMMENT ON TABLE conflicts IS 'One row per record with the identity and revision of a hand already stored but other content. The first stays in force.';
COMMENT ON COLUMN conflicts.club_id IS 'The hand''s club.';
COMMENT ON COLUMN conflicts.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN conflicts.revision IS 'The revision that both say they are.';
COMMENT ON COLUMN conflicts.kept_sha256 IS 'Content hash of the one that was stored first.';
COMMENT ON COLUMN conflicts.content_sha256 IS 'Content hash of the one that was kept aside.';
COMMENT ON COLUMN conflicts.found_at IS 'When it was kept aside.';
COMMENT ON COLUMN conflicts.source_path IS 'File the record came from; - is standard input.';
COMMENT ON COLUMN conflicts.source_line IS 'Line of the record, from 1; null in an array.';
COMMENT ON COLUMN conflicts.source_index IS 'Index of the record in its array, from 0; null outside arrays.';
COMMENT ON COLUMN conflicts.source_offset IS 'Byte offset of the record in the (unpacked) source.';
COMMENT ON COLUMN conflicts.differences IS 'Field by field: [{"path", "before", "after"}, …]; a side without the field has no such key.';
COMMENT ON COLUMN conflicts.log IS 'The record that was kept aside, byte for byte.';
