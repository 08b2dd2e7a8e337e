-- Every transfer of one evening ($club, $evening) in the order of play; a player of null is the bank.
-- $filters: hand_filters · $aliases: who is who, for person_of
SELECT
    hands.hand_id, hand_no, number, currency,
    person_of($aliases, $club, from_player) AS from_player,
    person_of($aliases, $club, to_player) AS to_player,
    amount, reason, event, rule
FROM hands_where($filters) AS hands
JOIN transfers USING (hand_key)
WHERE hands.club_id = $club AND evening = $evening
    AND person_of($aliases, $club, transfers.from_player) IS DISTINCT FROM person_of($aliases, $club, transfers.to_player)
ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_key, number
