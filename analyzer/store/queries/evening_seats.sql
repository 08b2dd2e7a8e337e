-- Each seat of each hand of one evening ($club, $evening) in the order of play, and how its person stood after it.
-- at is the time as the log has it; balance the person's running sum in the currency; judged_net what the
-- seat won or lost before rulings.
-- $filters: hand_filters · $aliases: who is who, for person_of
SELECT
    *,
    (sum(net) OVER (
        PARTITION BY currency, player_id ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_key
    ))::DECIMAL(38,3) AS balance
FROM (
    SELECT
        hand_key, hands.hand_id, hand_no, played_at, played_on, rules_id, stake, currency, seat,
        person_of($aliases, $club, player_id) AS player_id,
        name, place, net, judged_net,
        log::JSON ->> '$.played_at' AS at
    FROM hands_where($filters) AS hands
    JOIN seats USING (hand_key)
    WHERE hands.club_id = $club AND evening = $evening
)
ORDER BY hand_no NULLS LAST, played_at NULLS LAST, hand_key, seat
