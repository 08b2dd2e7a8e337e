-- One person's passes in turn, and those that let something go, in one row.
-- $club, $ids: the club, and all player ids of the person · $filters: hand_filters
-- A pass in turn is one without a fault of turn (out of turn, after the end, on a lead …).
WITH mine AS MATERIALIZED (FROM hands_of($club, $ids, $filters)),
passes AS (
    SELECT hand_key, event, seat
    FROM (
        SELECT
            hand_key, mine.seat AS seat,
            unnest(range(len(acts.type)))::USMALLINT AS event,
            unnest(acts.type) AS type,
            unnest(acts.seat) AS actor
        FROM acts
        JOIN mine USING (hand_key)
    )
    WHERE type = 'pass' AND actor = seat
)
SELECT
    count(*) AS passes,
    count(*) FILTER (certainty = 'certain') AS missed,
    count(*) FILTER (certainty = 'possible') AS possible
FROM passes
LEFT JOIN missed_blocks USING (hand_key, event, seat)
WHERE (hand_key, event) NOT IN (
    SELECT (violations.hand_key, violations.event)
    FROM violations
    JOIN mine USING (hand_key)
    WHERE violations.event IS NOT NULL AND code IN (
        'event_after_end', 'acted_after_out', 'wrong_leader', 'played_after_pass', 'pass_on_lead', 'out_of_turn'
    )
)
