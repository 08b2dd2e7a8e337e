-- The relations that a reader computes from the stored ones, and what people decided (from the journal).

COMMENT ON VIEW revisions IS 'Every revision of every hand, in force or not; the columns of hands and one more.';
COMMENT ON COLUMN revisions.in_force IS 'Whether this revision is the one in hands.';

CREATE VIEW sources AS
SELECT
    path, sha256, records, accepted, unchanged, superseded, conflicting, quarantined,
    read_at AS last_read_at,
    min(read_at) OVER reading AS first_read_at,
    count(*) OVER reading AS times_read
FROM readings
WINDOW reading AS (PARTITION BY path, sha256)
QUALIFY row_number() OVER (PARTITION BY path, sha256 ORDER BY read_at DESC) = 1;
COMMENT ON VIEW sources IS 'One row per path and SHA-256 read, with the counts of its last reading.';
COMMENT ON COLUMN sources.path IS 'The file; - is standard input.';
COMMENT ON COLUMN sources.sha256 IS 'SHA-256 (hex) of its bytes; null where it could not be read.';
COMMENT ON COLUMN sources.records IS 'Records read: the sum of the five counts after it.';
COMMENT ON COLUMN sources.accepted IS 'Records that became new hands.';
COMMENT ON COLUMN sources.unchanged IS 'Records that were known already, with the same content.';
COMMENT ON COLUMN sources.superseded IS 'Records that are another revision of a known hand.';
COMMENT ON COLUMN sources.conflicting IS 'Records with the identity and revision of a known hand but other content.';
COMMENT ON COLUMN sources.quarantined IS 'Records that were refused.';
COMMENT ON COLUMN sources.last_read_at IS 'When it was last read.';
COMMENT ON COLUMN sources.first_read_at IS 'When it was first read.';
COMMENT ON COLUMN sources.times_read IS 'How often it was read.';

CREATE VIEW events AS
SELECT act.*, worst.severity
FROM (
    SELECT
        hand_key, club_id, hand_id,
        unnest(range(len(type)))::USMALLINT AS event,
        unnest(type) AS type,
        unnest(seat) AS seat,
        unnest(cards) AS cards,
        unnest(at_seconds) AS at_seconds,
        unnest(trick) AS trick,
        unnest(details)::JSON AS details
    FROM acts
) AS act
LEFT JOIN (
    SELECT
        hand_key, event,
        ['error', 'warning', 'info'][min(list_position(['error', 'warning', 'info'], severity))] AS severity
    FROM violations
    WHERE event IS NOT NULL
    GROUP BY hand_key, event
) AS worst USING (hand_key, event);
COMMENT ON VIEW events IS 'One row per event as judged.';
COMMENT ON COLUMN events.hand_key IS 'The hand; hands.hand_key.';
COMMENT ON COLUMN events.club_id IS 'The hand''s club.';
COMMENT ON COLUMN events.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN events.event IS 'Index of the event, from 0.';
COMMENT ON COLUMN events.type IS 'play, pass, claim, say, take_back, show, count, call, exchange, discard, leave or note.';
COMMENT ON COLUMN events.seat IS 'Seat that acted; null in a note of nobody''s.';
COMMENT ON COLUMN events.cards IS 'Cards, weakest first; null where the event has none.';
COMMENT ON COLUMN events.at_seconds IS 'Seconds since the deal; null where the log has no time.';
COMMENT ON COLUMN events.trick IS 'Number of the trick (lượt) it belongs to, from 1; 0 before the first play.';
COMMENT ON COLUMN events.details IS 'The event''s other keys as a JSON object; null where it has none.';
COMMENT ON COLUMN events.severity IS 'Worst severity among the violations at this event; null if there is none.';

CREATE VIEW players AS
SELECT
    seats.club_id, seats.player_id, currency,
    arg_max(seats.name, hand_key) AS name,
    count(*) AS hands,
    count(DISTINCT evening) AS evenings,
    min(played_at) AS first_played_at,
    max(played_at) AS last_played_at,
    count(*) FILTER (place = 1) AS firsts,
    count(*) FILTER (place = player_count) AS lasts,
    count(*) FILTER (frozen) AS times_frozen,
    count(instant_win) AS instant_wins,
    sum(net)::DECIMAL(38,3) AS net
FROM seats JOIN hands USING (hand_key)
GROUP BY seats.club_id, seats.player_id, currency;
COMMENT ON VIEW players IS 'One row per club, player and currency.';
COMMENT ON COLUMN players.club_id IS 'The club.';
COMMENT ON COLUMN players.player_id IS 'The player.';
COMMENT ON COLUMN players.currency IS 'Currency of the hands counted here.';
COMMENT ON COLUMN players.name IS 'The player''s name as the hand taken in last has it.';
COMMENT ON COLUMN players.hands IS 'Hands played.';
COMMENT ON COLUMN players.evenings IS 'Evenings played.';
COMMENT ON COLUMN players.first_played_at IS 'When the first of them was played.';
COMMENT ON COLUMN players.last_played_at IS 'When the last of them was played.';
COMMENT ON COLUMN players.firsts IS 'Hands in which the player came first.';
COMMENT ON COLUMN players.lasts IS 'Hands in which the player came last.';
COMMENT ON COLUMN players.times_frozen IS 'Hands in which the player was frozen (cóng).';
COMMENT ON COLUMN players.instant_wins IS 'Instant wins (tới trắng) the player was paid for.';
COMMENT ON COLUMN players.net IS 'What the player won or lost in all.';

CREATE VIEW sessions AS
SELECT
    club_id, evening,
    any_value(session_id) AS session_id,
    any_value(table_id) AS table_id,
    min(played_at) AS started_at,
    max(played_at) AS ended_at,
    min(played_on) AS played_on,
    count(*) AS hands,
    count(*) FILTER (severity IN ('error', 'warning')) AS hands_with_violations,
    count(*) FILTER (has_forfeit) AS hands_with_forfeits,
    list(DISTINCT rules_id ORDER BY rules_id) AS rules,
    list(DISTINCT currency ORDER BY currency) AS currencies
FROM hands
GROUP BY club_id, evening;
COMMENT ON VIEW sessions IS 'One row per evening of a club.';
COMMENT ON COLUMN sessions.club_id IS 'The club.';
COMMENT ON COLUMN sessions.evening IS 'The evening; hands.evening.';
COMMENT ON COLUMN sessions.session_id IS 'The log''s own id of the session; null where it names none.';
COMMENT ON COLUMN sessions.table_id IS 'Table of the evening, as far as one is named.';
COMMENT ON COLUMN sessions.started_at IS 'When the first hand was played.';
COMMENT ON COLUMN sessions.ended_at IS 'When the last hand was played.';
COMMENT ON COLUMN sessions.played_on IS 'Calendar day on which it began.';
COMMENT ON COLUMN sessions.hands IS 'Hands played.';
COMMENT ON COLUMN sessions.hands_with_violations IS 'Hands with an error or a warning.';
COMMENT ON COLUMN sessions.hands_with_forfeits IS 'Hands with a forfeit (đền bài).';
COMMENT ON COLUMN sessions.rules IS 'Ids of the rule sets played under.';
COMMENT ON COLUMN sessions.currencies IS 'Currencies played for.';

CREATE VIEW debts AS
SELECT
    club_id, evening, currency,
    if(owed > 0, one, other) AS from_player,
    if(owed > 0, other, one) AS to_player,
    abs(owed)::DECIMAL(38,3) AS amount
FROM (
    SELECT
        hands.club_id, evening, currency,
        least(from_player, to_player) AS one,
        greatest(from_player, to_player) AS other,
        sum(if(from_player < to_player, amount, -amount)) AS owed
    FROM transfers JOIN hands USING (hand_key)
    WHERE from_player IS NOT NULL AND to_player IS NOT NULL
    GROUP BY ALL
)
WHERE owed <> 0;
COMMENT ON VIEW debts IS 'What each pair of players owes after an evening: all their transfers, set off against each other. The bank is left out.';
COMMENT ON COLUMN debts.club_id IS 'The club.';
COMMENT ON COLUMN debts.evening IS 'The evening; hands.evening.';
COMMENT ON COLUMN debts.currency IS 'Currency of the amount.';
COMMENT ON COLUMN debts.from_player IS 'Player who owes.';
COMMENT ON COLUMN debts.to_player IS 'Player who is owed.';
COMMENT ON COLUMN debts.amount IS 'What is owed, above zero.';

CREATE TABLE rulings (
    ruled_at TIMESTAMPTZ NOT NULL,
    ruled_by VARCHAR,
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    content_sha256 VARCHAR NOT NULL,
    event USMALLINT,
    seat UTINYINT,
    code VARCHAR,
    decision VARCHAR NOT NULL,
    reason VARCHAR
);
COMMENT ON TABLE rulings IS 'What a person decided about a hand. Read from the journal, never from the segments.';
COMMENT ON COLUMN rulings.ruled_at IS 'When it was decided.';
COMMENT ON COLUMN rulings.ruled_by IS 'Who decided it.';
COMMENT ON COLUMN rulings.club_id IS 'The hand''s club.';
COMMENT ON COLUMN rulings.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN rulings.content_sha256 IS 'Content hash of the revision that was ruled on.';
COMMENT ON COLUMN rulings.event IS 'Index of the event ruled on; null for the hand as a whole.';
COMMENT ON COLUMN rulings.seat IS 'Seat ruled on.';
COMMENT ON COLUMN rulings.code IS 'Code of the violation ruled on; null if none.';
COMMENT ON COLUMN rulings.decision IS 'What was decided.';
COMMENT ON COLUMN rulings.reason IS 'Why.';

CREATE MACRO folded(text) AS replace(lower(strip_accents(text)), 'đ', 'd');
COMMENT ON MACRO folded IS 'A text for searching: lower case, without accents.';
