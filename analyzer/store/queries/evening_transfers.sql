-- Who paid whom on one evening ($club, $evening), by cause; a player of null is the bank.
SELECT
    currency,
    reason,
    from_player,
    to_player,
    count(*) AS transfers,
    sum(amount)::DECIMAL(38,3) AS amount
FROM hands
JOIN transfers USING (hand_key)
WHERE hands.club_id = $club AND evening = $evening
GROUP BY currency, reason, from_player, to_player
ORDER BY currency, reason, amount DESC, from_player, to_player
