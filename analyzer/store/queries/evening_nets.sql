-- What each person of a club ($club) won or lost on each evening; the day is the club's, on which it began.
-- judged is what it was before rulings.
-- $time_zone, $day_starts: the club's clock · $filters: hand_filters · $aliases: who is who, for person_of
WITH days AS (
    SELECT
        evening,
        coalesce(
            ((min(played_at) AT TIME ZONE $time_zone::VARCHAR) - ($day_starts::VARCHAR)::INTERVAL)::DATE,
            min(played_on)
        ) AS day
    FROM hands
    WHERE club_id = $club
    GROUP BY evening
),
played AS (
    SELECT evening, currency, player_id, sum(net) AS net, sum(judged_net) AS judged
    FROM hands_where($filters) AS hands
    JOIN seats USING (hand_key)
    WHERE hands.club_id = $club
    GROUP BY ALL
)
SELECT
    evening, day, currency,
    person_of($aliases, $club, player_id) AS player_id,
    sum(net)::DECIMAL(38,3) AS net,
    sum(judged)::DECIMAL(38,3) AS judged
FROM played
JOIN days USING (evening)
GROUP BY ALL
ORDER BY day NULLS FIRST, evening, currency, player_id
