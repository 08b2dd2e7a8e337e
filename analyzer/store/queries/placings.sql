-- The latest $limit hands of a club ($club) in which everybody has a place, in the order of play:
-- the persons of each, first to last, and what orders the hand. $aliases: who is who, for people
WITH latest AS MATERIALIZED (
    SELECT hand_key, played_at, evening, hand_no
    FROM hands
    WHERE club_id = $club AND hand_key NOT IN (SELECT hand_key FROM seats WHERE place IS NULL)
    ORDER BY played_at DESC NULLS LAST, evening DESC, hand_no DESC NULLS FIRST, hand_key DESC
    LIMIT $limit
),
persons AS (
    SELECT hand_key, list(person_id ORDER BY place) AS persons
    FROM seats
    JOIN people($aliases) USING (club_id, player_id)
    WHERE hand_key IN (SELECT hand_key FROM latest)
    GROUP BY hand_key
)
SELECT hand_key, played_at, evening, hand_no, persons
FROM latest
JOIN persons USING (hand_key)
ORDER BY played_at NULLS FIRST, evening, hand_no NULLS LAST, hand_key
