-- What each person of a club ($club) won and lost, by cause, and in how many transfers.
-- $evenings: the evenings, all where null · $filters: hand_filters · $aliases: who is who, for person_of
WITH chosen AS (
    SELECT hand_key, currency
    FROM hands_where($filters)
    WHERE club_id = $club AND ($evenings::VARCHAR[] IS NULL OR evening IN (SELECT unnest($evenings::VARCHAR[])))
),
-- Set off in pairs first: there are many times fewer of them than transfers.
pairs AS (
    SELECT currency, reason, from_player, to_player, count(*) AS transfers, sum(amount) AS amount
    FROM transfers
    JOIN chosen USING (hand_key)
    GROUP BY ALL
),
paid AS (
    SELECT
        currency, reason, transfers, amount,
        person_of($aliases, $club, from_player) AS from_person,
        person_of($aliases, $club, to_player) AS to_person
    FROM pairs
    WHERE from_person IS DISTINCT FROM to_person
),
sides AS (
    SELECT currency, reason, to_person AS player_id, transfers, amount AS won, 0 AS lost
    FROM paid
    UNION ALL
    SELECT currency, reason, from_person, transfers, 0, -amount
    FROM paid
)
SELECT
    currency,
    player_id,
    reason,
    sum(won)::DECIMAL(38,3) AS won,
    sum(lost)::DECIMAL(38,3) AS lost,
    sum(won + lost)::DECIMAL(38,3) AS net,
    sum(transfers)::BIGINT AS transfers
FROM sides
WHERE player_id IS NOT NULL
GROUP BY currency, player_id, reason
ORDER BY currency, player_id, reason
