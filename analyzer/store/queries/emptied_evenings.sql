-- Closed evenings in which no hand stands any more, as rows of sessions tell one, with the day of the calendar.
-- $closings: club_id and evening of every closed evening
WITH closings AS (
    SELECT unnest($closings::STRUCT(club_id VARCHAR, evening VARCHAR)[], recursive := true)
)
SELECT
    club_id, evening,
    any_value(session_id) AS session_id,
    any_value(table_id) AS table_id,
    min(played_at) AS started_at,
    min(played_on) AS played_on,
    0 AS hands
FROM revisions
JOIN closings USING (club_id, evening)
WHERE (club_id, evening) NOT IN (SELECT (club_id, evening) FROM hands)
GROUP BY club_id, evening
ORDER BY started_at DESC NULLS LAST, club_id, evening
