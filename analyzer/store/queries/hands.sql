-- Hands, newest first: one page of those that pass the filters. A filter that is null lets all pass.
-- $text: part of a hand's id or of a player's name or id, whatever its accents · $filters: hand_filters
-- $violation, $forfeit: whether there is one · $limit, $offset: the page
-- Every row tells the number of all hands found; a page beyond the last has no row.
WITH found AS (
    SELECT hand_key, played_at
    FROM hands_where($filters)
    WHERE ($violation::BOOLEAN IS NULL OR (severity IN ('error', 'warning')) = $violation)
        AND ($forfeit::BOOLEAN IS NULL OR has_forfeit = $forfeit)
        AND (
            $text::VARCHAR IS NULL
            OR contains(folded(hand_id), folded($text))
            OR hand_key IN (
                SELECT hand_key
                FROM seats
                WHERE contains(folded(player_id), folded($text)) OR contains(folded(name), folded($text))
            )
        )
),
page AS (
    SELECT hand_key
    FROM found
    ORDER BY played_at DESC NULLS LAST, hand_key DESC
    LIMIT $limit OFFSET $offset
)
SELECT
    hands.* EXCLUDE (log),
    seated.players,
    (SELECT count(*) FROM found) AS total
FROM page
JOIN hands USING (hand_key)
JOIN (
    SELECT
        hand_key,
        list(
            {'seat': seat, 'player_id': player_id, 'name': name, 'place': place, 'net': net, 'frozen': frozen}
            ORDER BY seat
        ) AS players
    FROM seats
    WHERE hand_key IN (FROM page)
    GROUP BY hand_key
) AS seated USING (hand_key)
ORDER BY played_at DESC NULLS LAST, hand_key DESC
