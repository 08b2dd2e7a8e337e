-- Evenings in which hand numbers are missing, the latest first: the gaps of each, and how many hands in all.
-- $limit: so many evenings · Every row tells in `total` how many evenings there are.
WITH gaps AS (
    SELECT club_id, evening, played_at, before + 1 AS first, hand_no - 1 AS last
    FROM (
        SELECT club_id, evening, played_at, hand_no, lag(hand_no) OVER numbered AS before
        FROM hands
        WHERE hand_no IS NOT NULL
        WINDOW numbered AS (PARTITION BY club_id, evening ORDER BY hand_no)
    )
    WHERE hand_no > before + 1
)
SELECT
    club_id, evening,
    list({'first': first, 'last': last} ORDER BY first) AS gaps,
    sum(last - first + 1)::BIGINT AS missing,
    count(*) OVER () AS total
FROM gaps
GROUP BY club_id, evening
ORDER BY max(played_at) DESC NULLS LAST, club_id, evening
LIMIT $limit
