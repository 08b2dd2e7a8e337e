-- Every ruling on the hands of one evening ($club, $evening), oldest first; stands tells whether it counts.
-- $filters: hand_filters · $aliases: who is who, for person_of
SELECT
    entry, ruled_at, ruled_by, hands.hand_id, hand_no, hand_key, code, event, seat, decision, reason, stands,
    (
        SELECT list({
            'from': person_of($aliases, $club, from_player), 'to': person_of($aliases, $club, to_player), 'amount': amount
        } ORDER BY number)
        FROM transfers
        WHERE transfers.hand_key = hands.hand_key AND transfers.reason = 'ruling'
            AND (facts ->> '$.entry')::BIGINT = entry
    ) AS moves,
    currency
FROM rulings
JOIN hands_where($filters) AS hands USING (club_id, hand_id)
WHERE hands.club_id = $club AND evening = $evening
ORDER BY entry
