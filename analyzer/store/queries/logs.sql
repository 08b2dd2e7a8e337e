-- The logs of some hands, as they were read, by their hand_key ($keys).
SELECT hand_key, log
FROM hands
WHERE hand_key IN (SELECT unnest($keys::BIGINT[]))
