-- One hand with everything stored about it, in one row; no row if there is none.
-- $club, $hand: its identity · $revision: which revision, null for the one in force
-- What follows from the replay is stored for the revision in force; of any other, replay the log.
WITH chosen AS (
    SELECT *
    FROM revisions
    WHERE club_id = $club AND hand_id = $hand
        AND (if($revision::INTEGER IS NULL, in_force, revision = $revision))
)
SELECT
    chosen.*,
    (SELECT list(row ORDER BY seat) FROM seats AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS seats,
    (SELECT list(row ORDER BY number) FROM violations AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS violations,
    (SELECT list(row ORDER BY event) FROM missed_blocks AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS missed_blocks,
    (SELECT list(row) FROM forfeits AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS forfeits,
    (SELECT list(row ORDER BY event) FROM chops AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS chops,
    (SELECT list(row ORDER BY number) FROM transfers AS row WHERE hand_key IN (SELECT hand_key FROM chosen)) AS transfers,
    (
        SELECT list(
            {
                'revision': revision, 'in_force': in_force, 'content_sha256': content_sha256,
                'revised_by': revised_by, 'revised_at': revised_at, 'revision_reason': revision_reason,
                'ingested_at': ingested_at, 'source_path': source_path
            }
            ORDER BY revision
        )
        FROM revisions
        WHERE club_id = $club AND hand_id = $hand
    ) AS revisions,
    (
        SELECT list(row ORDER BY found_at) FROM conflicts AS row WHERE club_id = $club AND hand_id = $hand
    ) AS conflicts
FROM chosen
