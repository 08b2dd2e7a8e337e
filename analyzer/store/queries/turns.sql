-- How often each player let another's cards stand, and how often he beat them: soft play is looked for here.
-- $first, $last: the hand_keys looked at · $filters: hand_filters · $aliases: who is who, for person_of
-- A turn is an act over another's cards, the last that were played in the trick: a play, or a pass with a
-- legal play in hand (missed_blocks). Only what came before the first error counts, and only in hands that
-- are clear: unknown cards leave no pass open, and nobody took cards back.
-- A row is a pair in one situation: rule set, number of players, and how many seats after the owner of the
-- cards the player sits. The sums of squares are over hands: turns of one hand hang together.
WITH clear AS (
    SELECT hand_key, club_id, rules_id, coalesce(disputed_from, event_count) AS undisputed
    FROM hands_where($filters)
    WHERE hand_key BETWEEN $first AND $last
        AND hand_key NOT IN (
            SELECT hand_key FROM missed_blocks
            WHERE certainty <> 'certain' AND hand_key BETWEEN $first AND $last
        )
),
laid AS (
    SELECT
        hand_key, undisputed, seat, trick,
        [event FOR event IN range(undisputed) IF type[event + 1] = 'play'] AS plays
    FROM acts
    JOIN clear USING (hand_key)
    WHERE NOT list_contains(type, 'take_back')
),
let AS (
    SELECT hand_key, list(event) AS passes
    FROM missed_blocks
    WHERE hand_key BETWEEN $first AND $last
    GROUP BY hand_key
),
turns AS (
    SELECT
        hand_key,
        -- Each as [seat, seat of the owner of the top, 1 where it passed]; lists count from 1.
        unnest(
            [
                [seat[plays[k + 1] + 1], seat[plays[k] + 1], 0]
                FOR k IN range(1, len(plays)) IF trick[plays[k + 1] + 1] = trick[plays[k] + 1]
            ]
            || [
                [seat[pass + 1], seat[list_max([play FOR play IN plays IF play < pass]) + 1], 1]
                FOR pass IN coalesce(passes, []) IF pass < undisputed
            ]
        ) AS turn
    FROM laid
    LEFT JOIN let USING (hand_key)
),
by_hand AS (
    SELECT hand_key, turn[1] AS seat, turn[2] AS owner, count(*) AS turns, sum(turn[3])::BIGINT AS let_stand
    FROM turns
    WHERE turn[1] <> turn[2]
    GROUP BY ALL
),
seated AS (
    SELECT hand_key, list(player_id ORDER BY seat) AS players
    FROM seats
    WHERE hand_key BETWEEN $first AND $last
    GROUP BY hand_key
),
-- Players first, persons then: there are many times fewer pairs than hands.
pairs AS (
    SELECT
        club_id,
        players[seat + 1] AS player_id,
        players[owner + 1] AS owner_id,
        rules_id,
        len(players) AS players,
        (seat + len(players) - owner) % len(players) AS distance,
        sum(turns) AS turns,
        sum(let_stand) AS let_stand,
        sum(turns * turns) AS turns_turns,
        sum(turns * let_stand) AS turns_let,
        sum(let_stand * let_stand) AS let_let
    FROM by_hand
    JOIN seated USING (hand_key)
    JOIN clear USING (hand_key)
    GROUP BY ALL
)
SELECT
    club_id,
    person_of($aliases, club_id, player_id) AS player_id,
    person_of($aliases, club_id, owner_id) AS owner_id,
    rules_id, players, distance,
    sum(turns)::BIGINT AS turns,
    sum(let_stand)::BIGINT AS let_stand,
    sum(turns_turns)::BIGINT AS turns_turns,
    sum(turns_let)::BIGINT AS turns_let,
    sum(let_let)::BIGINT AS let_let
FROM pairs
WHERE person_of($aliases, club_id, pairs.player_id) <> person_of($aliases, club_id, pairs.owner_id)
GROUP BY
    club_id, person_of($aliases, club_id, pairs.player_id), person_of($aliases, club_id, pairs.owner_id),
    rules_id, players, distance
