-- What is flagged in hands: violations, and forfeits under the code 'forfeit', which counts as an error.
-- $filters: hand_filters · $ids: who is at fault, by all player ids of the person · $code, $certainty · $severities: a list of them
-- A filter that is null lets all pass.
SELECT flag.*
FROM (
    SELECT hand_key, number, code, NULL AS kind, event, seat, severity, certainty, rule, message_vi, message_en
    FROM violations
    UNION ALL BY NAME
    SELECT hand_key, 'forfeit' AS code, kind, event, seat, 'error' AS severity, certainty, rule
    FROM forfeits
) AS flag
WHERE ($code::VARCHAR IS NULL OR code = $code)
    AND ($certainty::VARCHAR IS NULL OR certainty = $certainty)
    AND ($severities::VARCHAR[] IS NULL OR list_contains($severities, severity))
    AND hand_key IN (SELECT hand_key FROM hands_where($filters))
    AND (
        $ids::VARCHAR[] IS NULL
        OR EXISTS (
            FROM seats
            WHERE seats.hand_key = flag.hand_key AND seats.seat = flag.seat
                AND list_contains($ids::VARCHAR[], player_id)
        )
    )
