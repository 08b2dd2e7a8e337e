-- The relations that a reader computes from the stored ones, and what people decided (from the journal).

COMMENT ON VIEW revisions IS 'Every revision of every hand, in force or not; the columns of hands and one more.';
COMMENT ON COLUMN revisions.in_force IS 'Whether this revision is the one in hands.';

COMMENT ON COLUMN quarantine.number IS 'Number of the record, from 1; it keeps it as long as it is stored.';
COMMENT ON COLUMN quarantine.solved IS 'Whether the record was mended and taken in.';

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
    reason VARCHAR,
    entry BIGINT NOT NULL,
    stands BOOLEAN NOT NULL
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
COMMENT ON COLUMN rulings.decision IS 'What was decided: upheld, dismissed or adjusted.';
COMMENT ON COLUMN rulings.reason IS 'Why.';
COMMENT ON COLUMN rulings.entry IS 'Number of the journal''s entry.';
COMMENT ON COLUMN rulings.stands IS 'Whether it counts: the last one on its finding, made on the revision in force.';

CREATE TABLE cases (
    club_id VARCHAR NOT NULL,
    hand_id VARCHAR NOT NULL,
    hand_key BIGINT,
    closed BOOLEAN NOT NULL,
    claims BIGINT NOT NULL,
    decisions BIGINT NOT NULL,
    unconfirmed BIGINT NOT NULL,
    closed_earlier BOOLEAN NOT NULL,
    changed_at TIMESTAMPTZ NOT NULL,
    entry BIGINT NOT NULL
);
COMMENT ON TABLE cases IS 'One row per hand about which something was claimed or decided. Read from the journal.';
COMMENT ON COLUMN cases.club_id IS 'The hand''s club.';
COMMENT ON COLUMN cases.hand_id IS 'The hand''s id.';
COMMENT ON COLUMN cases.hand_key IS 'The hand in force; null where this version has no such hand.';
COMMENT ON COLUMN cases.closed IS 'Whether the case is closed.';
COMMENT ON COLUMN cases.claims IS 'Claims made.';
COMMENT ON COLUMN cases.decisions IS 'Decisions that stand.';
COMMENT ON COLUMN cases.unconfirmed IS 'Decisions on another revision of the hand, which count no money until they are taken again; those on findings that the hand has no more are not among them.';
COMMENT ON COLUMN cases.closed_earlier IS 'Whether the case was closed on another revision of the hand and there is something to decide anew.';
COMMENT ON COLUMN cases.changed_at IS 'When something was last entered.';
COMMENT ON COLUMN cases.entry IS 'Number of the journal''s last entry about it.';

COMMENT ON COLUMN seats.net IS 'What the seat won or lost, after rulings.';
COMMENT ON COLUMN seats.judged_net IS 'What the seat won or lost as the engine settled it, before rulings.';

CREATE MACRO folded(text) AS replace(lower(strip_accents(text)), 'đ', 'd');
COMMENT ON MACRO folded IS 'A text for searching: lower case, without accents.';

CREATE MACRO people(aliases) AS TABLE
WITH alias AS (
    SELECT unnest(aliases::STRUCT(club_id VARCHAR, player_id VARCHAR, person_id VARCHAR)[], recursive := true)
),
latest AS (SELECT club_id, player_id, max(hand_key) AS hand_key FROM seats GROUP BY ALL),
called AS (
    SELECT club_id, player_id, coalesce(nullif(name, ''), player_id) AS name
    FROM latest JOIN seats USING (hand_key, club_id, player_id)
)
SELECT
    called.club_id, called.player_id,
    coalesce(person_id, called.player_id) AS person_id,
    coalesce(main.name, person_id, called.name) AS name
FROM called
LEFT JOIN alias USING (club_id, player_id)
LEFT JOIN called AS main ON main.club_id = called.club_id AND main.player_id = person_id;
COMMENT ON MACRO TABLE people IS 'One row per club and player: the person it is (people.py) and what that person was called last.';

CREATE MACRO person_of(aliases, club, player) AS coalesce(
    list_filter(
        aliases::STRUCT(club_id VARCHAR, player_id VARCHAR, person_id VARCHAR)[],
        lambda alias: alias.club_id = club AND alias.player_id = player
    )[1].person_id,
    player
);
COMMENT ON MACRO person_of IS 'The person that a player of a club is; the same aliases as people. For sums: it looks through the list.';

CREATE MACRO hand_filters(filters) AS filters::STRUCT(
    club VARCHAR, evening VARCHAR, rules VARCHAR, table_id VARCHAR, stake DECIMAL(18,3), currency VARCHAR, players UTINYINT,
    since TIMESTAMPTZ, until TIMESTAMPTZ,
    since_of MAP(VARCHAR, TIMESTAMPTZ), until_of MAP(VARCHAR, TIMESTAMPTZ),
    seated STRUCT(player_id VARCHAR, person_id VARCHAR)[],
    without BIGINT[]
);
COMMENT ON MACRO hand_filters IS 'What hands can be narrowed to: since and until are instants, since_of and until_of those of clubs with days of their own; everybody seated is at the table, under any id; without are hand_keys left out.';

CREATE MACRO hands_where(filters) AS TABLE
FROM hands
WHERE (hand_filters(filters)['club'] IS NULL OR club_id = hand_filters(filters)['club'])
    AND (hand_filters(filters)['evening'] IS NULL OR evening = hand_filters(filters)['evening'])
    AND (hand_filters(filters)['rules'] IS NULL OR rules_id = hand_filters(filters)['rules'])
    AND (hand_filters(filters)['table_id'] IS NULL OR table_id = hand_filters(filters)['table_id'])
    AND (hand_filters(filters)['stake'] IS NULL OR stake = hand_filters(filters)['stake'])
    AND (hand_filters(filters)['currency'] IS NULL OR currency = hand_filters(filters)['currency'])
    AND (hand_filters(filters)['players'] IS NULL OR player_count = hand_filters(filters)['players'])
    AND (
        hand_filters(filters)['since'] IS NULL
        OR played_at >= coalesce((hand_filters(filters)['since_of'])[club_id], hand_filters(filters)['since'])
    )
    AND (
        hand_filters(filters)['until'] IS NULL
        OR played_at < coalesce((hand_filters(filters)['until_of'])[club_id], hand_filters(filters)['until'])
    )
    AND (
        coalesce(len(hand_filters(filters)['seated']), 0) = 0
        OR hand_key IN (
            SELECT hand_key
            FROM seats
            JOIN (SELECT unnest(hand_filters(filters)['seated'], recursive := true)) AS wanted USING (player_id)
            GROUP BY hand_key
            HAVING count(DISTINCT person_id) = (
                SELECT count(DISTINCT seat.person_id) FROM (SELECT unnest(hand_filters(filters)['seated']) AS seat)
            )
        )
    )
    AND NOT coalesce(list_contains(hand_filters(filters)['without'], hand_key), false);
COMMENT ON MACRO TABLE hands_where IS 'The hands that pass hand_filters; a filter that is null or missing lets all pass.';

CREATE MACRO hands_of(club, ids, filters) AS TABLE
SELECT
    hand_key, seat, place, net, frozen, instant_win, player_count, currency, rules_id, played_at,
    row_number() OVER (ORDER BY played_at NULLS LAST, evening, hand_no NULLS LAST, hand_key) AS number
FROM seats
JOIN hands_where(filters) AS hands USING (hand_key)
WHERE seats.club_id = club AND list_contains(ids::VARCHAR[], player_id);
COMMENT ON MACRO TABLE hands_of IS 'The hands of one person (all player ids in a club) that pass hand_filters, numbered in the order of play, with the person''s seat.';
