-- The persons of a club ($club), or of all where null, with what they were called last, by name.
-- $aliases: who is who, for people
SELECT DISTINCT club_id, person_id, name
FROM people($aliases)
WHERE $club::VARCHAR IS NULL OR club_id = $club
ORDER BY folded(name), club_id, person_id
