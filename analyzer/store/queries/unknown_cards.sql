-- The hands whose log leaves cards of the deal unknown, and how: every holding, or some cards.
-- $first, $last: the hand_keys looked at
SELECT hand_key, deal IS NULL OR deal = 'null' AS nothing_known
FROM (
    SELECT hand_key, json_extract(log, '$.deal')::VARCHAR AS deal
    FROM hands
    WHERE hand_key BETWEEN $first AND $last
)
WHERE deal IS NULL OR contains(deal, 'null') OR contains(deal, '?')
