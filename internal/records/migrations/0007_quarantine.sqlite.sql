-- A request that looks like spam is stored and not mailed: its state is quarantined.
-- SQLite changes a CHECK only in its schema table
-- (https://www.sqlite.org/lang_altertable.html, "Making Other Kinds Of Table Schema Changes").

PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql, '''failed'', ''unknown'')', '''failed'', ''unknown'', ''quarantined'')')
    WHERE type = 'table' AND name = 'inquiries';
PRAGMA writable_schema = RESET;
