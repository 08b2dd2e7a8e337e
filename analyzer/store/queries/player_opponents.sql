-- Everybody whom one person met at the table, the most frequent first.
-- $club, $ids: the club, and all player ids of the person · $aliases: who is who, for people
-- $filters: hand_filters
-- ahead and behind count hands in which both have a place; owed is what the person had from the other, less
-- what the other had, by currency.
WITH mine AS MATERIALIZED (FROM hands_of($club, $ids, $filters)),
others AS MATERIALIZED (
    SELECT player_id, person_id
    FROM people($aliases)
    WHERE club_id = $club AND NOT list_contains($ids::VARCHAR[], player_id)
),
met AS (
    SELECT
        person_id,
        count(DISTINCT hand_key) AS hands,
        count(*) FILTER (mine.place < seats.place) AS ahead,
        count(*) FILTER (mine.place > seats.place) AS behind
    FROM seats
    JOIN mine USING (hand_key)
    JOIN others USING (player_id)
    GROUP BY person_id
),
owed AS (
    SELECT person_id, mine.currency, sum(if(to_seat = seat, amount, -amount))::DECIMAL(38,3) AS net
    FROM transfers
    JOIN mine USING (hand_key)
    JOIN others ON player_id = if(to_seat = seat, from_player, to_player)
    WHERE to_seat = seat OR from_seat = seat
    GROUP BY ALL
)
SELECT
    met.*,
    (
        SELECT list({'currency': currency, 'net': net} ORDER BY currency)
        FROM owed
        WHERE owed.person_id = met.person_id
    ) AS owed
FROM met
ORDER BY hands DESC, person_id
