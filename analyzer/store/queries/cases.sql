-- The hands at the dispute desk, the latest first: one page.
-- $state: open (a case that is not closed, or was ruled on as another revision), flagged (an error, a warning or
-- a forfeit, and no case) or closed · $limit, $offset: the page. Every row tells the number of all in total.
WITH found AS (
    SELECT
        hand_key, claims, decisions, unconfirmed, closed_earlier,
        if(closed AND NOT closed_earlier, 'closed', 'open') AS state
    FROM cases
    WHERE hand_key IS NOT NULL
    UNION ALL BY NAME
    SELECT hand_key, 'flagged' AS state
    FROM hands
    WHERE $state = 'flagged' AND (severity IN ('error', 'warning') OR has_forfeit)
        AND hand_key NOT IN (SELECT hand_key FROM cases WHERE hand_key IS NOT NULL)
),
page AS (
    SELECT found.*, played_at, count(*) OVER () AS total
    FROM found
    JOIN (SELECT hand_key, played_at FROM hands) USING (hand_key)
    WHERE state = $state
    ORDER BY played_at DESC NULLS LAST, hand_key DESC
    LIMIT $limit OFFSET $offset
)
SELECT
    page.* EXCLUDE (played_at),
    club_id, hand_id, hand_no, session_id, table_id, evening, played_on, severity, has_forfeit
FROM page
JOIN hands USING (hand_key)
ORDER BY page.played_at DESC NULLS LAST, hand_key DESC
