-- The hands of a club ($club) that stood in an evening when it was closed, and stand in another one now.
-- $closings: evening and closed_at of every closed evening
-- Their sums were closed there (counted_in), so until it is opened again they count nowhere else.
WITH closings AS (
    SELECT unnest($closings::STRUCT(evening VARCHAR, closed_at TIMESTAMPTZ)[], recursive := true)
),
moved AS (
    SELECT hand_id, old.evening AS counted_in, closed_at, old.revision
    FROM revisions AS old
    JOIN closings ON old.evening = closings.evening AND old.ingested_at <= closed_at
    WHERE club_id = $club AND NOT in_force
),
-- Of the revisions that there were at the closing the last one: that is what was closed.
latest AS (
    SELECT moved.hand_id, counted_in
    FROM moved
    JOIN revisions ON club_id = $club AND revisions.hand_id = moved.hand_id AND ingested_at <= closed_at
    GROUP BY moved.hand_id, counted_in
    HAVING max(revisions.revision) = max(moved.revision)
)
SELECT hand_key, hands.hand_id, hand_no, hands.evening, counted_in
FROM latest
JOIN hands ON club_id = $club AND hands.hand_id = latest.hand_id AND hands.evening <> counted_in
ORDER BY hands.evening, hand_no NULLS LAST, hand_key
