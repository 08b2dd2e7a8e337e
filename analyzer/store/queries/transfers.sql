-- The transfers behind a figure, in the order of play, one page; what the person pays is below zero.
-- $club, $currency · $ids: all player ids of the person · $reason: of one cause · $evenings, $filters: as in causes
-- $limit, $offset: the page. Every row tells in found and total how many there are and their sum.
SELECT
    hand_key, hands.club_id, hands.hand_id, hand_no, played_on, content_sha256, rules_sha256, number, event, reason,
    if(list_contains($ids::VARCHAR[], to_player), amount, -amount) AS amount,
    count(*) OVER () AS found,
    (sum(if(list_contains($ids::VARCHAR[], to_player), amount, -amount)) OVER ())::DECIMAL(38,3) AS total
FROM transfers
JOIN hands_where($filters) AS hands USING (hand_key)
WHERE hands.club_id = $club
    AND currency = $currency
    AND coalesce(list_contains($ids::VARCHAR[], to_player), false)
        <> coalesce(list_contains($ids::VARCHAR[], from_player), false)
    AND ($reason::VARCHAR IS NULL OR reason = $reason)
    AND ($evenings::VARCHAR[] IS NULL OR evening IN (SELECT unnest($evenings::VARCHAR[])))
ORDER BY if(len($evenings::VARCHAR[]) = 1, NULL, played_on) NULLS LAST, evening, hand_no NULLS LAST, played_at NULLS LAST, hand_key, number
LIMIT $limit OFFSET $offset
