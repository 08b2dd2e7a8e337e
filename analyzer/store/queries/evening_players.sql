-- What each player of one evening ($club, $evening) won or lost in all, the greatest winner first.
SELECT
    currency,
    player_id,
    arg_max(name, hand_key) AS name,
    count(*) AS hands,
    count(*) FILTER (place = 1) AS firsts,
    count(*) FILTER (place = player_count) AS lasts,
    count(*) FILTER (frozen) AS times_frozen,
    sum(net)::DECIMAL(38,3) AS net
FROM hands
JOIN seats USING (hand_key)
WHERE hands.club_id = $club AND evening = $evening
GROUP BY currency, player_id
ORDER BY currency, net DESC, player_id
