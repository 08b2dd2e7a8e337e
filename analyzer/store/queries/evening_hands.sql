-- The hands of one evening ($club, $evening) in the order in which they were played, with their players.
SELECT
    hands.* EXCLUDE (log),
    (
        SELECT list(
            {'seat': seat, 'player_id': player_id, 'name': name, 'place': place, 'net': net, 'frozen': frozen}
            ORDER BY seat
        )
        FROM seats
        WHERE seats.hand_key = hands.hand_key
    ) AS players
FROM hands
WHERE club_id = $club AND evening = $evening
ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_key
