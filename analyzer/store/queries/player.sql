-- What is told of one person's own play, in one row: numbers, and lists of them by currency.
-- $club, $ids: the club, and all player ids of the person · $filters: hand_filters
-- $time_zone, $day_starts: the club's clock
-- Amounts are exact; mean and deviation are statistics (DOUBLE). rules_id is null where all rules are meant.
WITH mine AS MATERIALIZED (FROM hands_of($club, $ids, $filters)),
paid AS MATERIALIZED (
    SELECT hand_key, currency, reason, if(to_seat = seat, amount, -amount) AS amount
    FROM transfers
    JOIN mine USING (hand_key)
    WHERE from_seat = seat OR to_seat = seat
),
runs AS (
    SELECT
        number,
        unnest(['firsts', 'lasts', 'won', 'lost']) AS run,
        unnest([place = 1, place = player_count, net > 0, net < 0]) AS holds
    FROM mine
)
SELECT
    (SELECT count(*) FROM mine) AS hands,
    (SELECT count(place) FROM mine) AS placed,
    (SELECT count(*) FROM mine WHERE place = 1) AS firsts,
    (SELECT count(*) FROM mine WHERE place = 2 AND place < player_count) AS seconds,
    (SELECT count(*) FROM mine WHERE place = 3 AND place < player_count) AS thirds,
    (SELECT count(*) FROM mine WHERE place = player_count) AS lasts,
    (SELECT count(*) FROM mine WHERE frozen) AS times_frozen,
    (SELECT count(instant_win) FROM mine) AS instant_wins,
    (SELECT count(*) FROM mine WHERE played_at IS NULL) AS undated,
    (SELECT count(*) FROM chops JOIN mine USING (hand_key, seat)) AS chops_made,
    (SELECT count(*) FROM chops JOIN mine ON chops.hand_key = mine.hand_key AND victim = mine.seat) AS chops_suffered,
    (SELECT count(*) FROM forfeits JOIN mine USING (hand_key, seat) WHERE certainty = 'certain') AS forfeits,
    (SELECT count(*) FROM forfeits JOIN mine USING (hand_key, seat) WHERE certainty <> 'certain') AS forfeits_possible,
    (
        SELECT list(row ORDER BY currency, rules_id NULLS FIRST)
        FROM (
            SELECT
                currency, rules_id, count(*) AS hands, sum(net)::DECIMAL(38,3) AS net,
                avg(net::DOUBLE) AS mean, stddev_samp(net::DOUBLE) AS deviation
            FROM mine
            GROUP BY GROUPING SETS ((currency), (currency, rules_id))
        ) AS row
    ) AS nets,
    (
        SELECT list(row ORDER BY currency, reason)
        FROM (
            SELECT
                currency, reason, count(DISTINCT hand_key) AS hands,
                coalesce(sum(amount) FILTER (amount > 0), 0)::DECIMAL(38,3) AS received,
                coalesce(-sum(amount) FILTER (amount < 0), 0)::DECIMAL(38,3) AS paid
            FROM paid
            GROUP BY ALL
        ) AS row
    ) AS causes,
    (
        SELECT list(row)
        FROM (
            SELECT run, max(length) AS length
            FROM (
                SELECT run, count(*) AS length
                FROM (
                    SELECT run, number - row_number() OVER (PARTITION BY run ORDER BY number) AS island
                    FROM runs
                    WHERE holds
                )
                GROUP BY run, island
            )
            GROUP BY run
        ) AS row
    ) AS runs,
    (
        SELECT list(row ORDER BY currency, day)
        FROM (
            SELECT *, sum(net) OVER (PARTITION BY currency ORDER BY day)::DECIMAL(38,3) AS balance
            FROM (
                SELECT
                    currency,
                    ((played_at AT TIME ZONE $time_zone::VARCHAR) - ($day_starts::VARCHAR)::INTERVAL)::DATE AS day,
                    count(*) AS hands,
                    sum(net)::DECIMAL(38,3) AS net
                FROM mine
                WHERE played_at IS NOT NULL
                GROUP BY ALL
            )
        ) AS row
    ) AS trend
