-- What each person of one evening ($club, $evening) won or lost in all, the greatest winner first.
-- judged is what it was before rulings.
-- $filters: hand_filters · $aliases: who is who, for person_of
SELECT
    currency,
    person_of($aliases, $club, player_id) AS player_id,
    arg_max(name, (player_id = person_of($aliases, $club, player_id), hand_key)) AS name,
    count(*) AS hands,
    count(*) FILTER (place = 1) AS firsts,
    count(*) FILTER (place = player_count) AS lasts,
    count(*) FILTER (frozen) AS times_frozen,
    sum(net)::DECIMAL(38,3) AS net,
    sum(judged_net)::DECIMAL(38,3) AS judged
FROM hands_where($filters) AS hands
JOIN seats USING (hand_key)
WHERE hands.club_id = $club AND evening = $evening
GROUP BY currency, person_of($aliases, $club, player_id)
ORDER BY currency, net DESC, player_id
