-- Records set aside because they say something else than the stored hands, the oldest first.
-- $every: whether also those that are solved, by another revision taken in after them
-- next_revision is the number that a correction needs, above every revision that is stored.
SELECT *
FROM (
    SELECT
        *,
        (
            SELECT max(revision) + 1 FROM revisions
            WHERE revisions.club_id = conflicts.club_id AND revisions.hand_id = conflicts.hand_id
        ) AS next_revision,
        EXISTS (
            FROM revisions
            WHERE revisions.club_id = conflicts.club_id AND revisions.hand_id = conflicts.hand_id
                AND revisions.revision > conflicts.revision AND ingested_at > found_at
        ) AS solved
    FROM conflicts
)
WHERE $every OR NOT solved
ORDER BY found_at, club_id, hand_id, revision, content_sha256
