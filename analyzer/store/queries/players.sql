-- The persons of a club ($club), by currency, as far as the hands that pass $filters (hand_filters) tell.
-- $aliases: who is who, for people
WITH played AS (
    SELECT
        player_id, currency,
        count(*) AS hands,
        count(place) AS placed,
        count(*) FILTER (place = 1) AS firsts,
        count(*) FILTER (place = player_count) AS lasts,
        sum(net) AS net
    FROM seats
    JOIN hands_where($filters) AS hands USING (hand_key)
    WHERE seats.club_id = $club
    GROUP BY player_id, currency
)
SELECT
    person_id, currency,
    sum(hands)::BIGINT AS hands,
    sum(placed)::BIGINT AS placed,
    sum(firsts)::BIGINT AS firsts,
    sum(lasts)::BIGINT AS lasts,
    sum(net)::DECIMAL(38,3) AS net
FROM played
JOIN people($aliases) AS who USING (player_id)
WHERE who.club_id = $club
GROUP BY person_id, currency
ORDER BY person_id, currency
