-- Evenings, newest first, with their players: one page. A filter that is null lets all pass.
-- $club, $player: whose · $since, $until: days · $limit, $offset: the page
-- Every row tells the number of all evenings found; a page beyond the last has no row.
WITH found AS (
    SELECT *
    FROM sessions
    WHERE ($club::VARCHAR IS NULL OR club_id = $club)
        AND ($since::DATE IS NULL OR played_on >= $since)
        AND ($until::DATE IS NULL OR played_on <= $until)
        AND (
            $player::VARCHAR IS NULL
            OR (club_id, evening) IN (
                SELECT (club_id, evening)
                FROM hands
                WHERE hand_key IN (SELECT hand_key FROM seats WHERE player_id = $player)
            )
        )
),
page AS (
    FROM found
    ORDER BY started_at DESC NULLS LAST, club_id, evening
    LIMIT $limit OFFSET $offset
)
SELECT page.*, seated.players, (SELECT count(*) FROM found) AS total
FROM page
JOIN (
    SELECT
        hands.club_id, hands.evening,
        list(DISTINCT {'player_id': player_id, 'name': coalesce(nullif(name, ''), player_id)}) AS players
    FROM hands
    JOIN page USING (club_id, evening)
    JOIN seats USING (hand_key)
    GROUP BY hands.club_id, hands.evening
) AS seated USING (club_id, evening)
ORDER BY started_at DESC NULLS LAST, club_id, evening
