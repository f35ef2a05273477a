-- Numbers of the tasks that have all these words as a JSON list, newest first; null if there are more than 10,000. PostgreSQL guesses how common a
-- word is and may read every task of an instance for a rare one; the index and the rows of so many hits cost milliseconds. SQLite reads its index of
-- words in the order of numbers: its function, which the program brings, always answers null.
-- only PostgreSQL
CREATE OR REPLACE FUNCTION few_searched(query TEXT) RETURNS TEXT LANGUAGE SQL STABLE
SET enable_seqscan = off SET enable_indexscan = off SET jit = off AS $$
  SELECT CASE WHEN COUNT(*) <= 10000 THEN COALESCE(JSON_AGG(f.number ORDER BY f.number DESC), '[]')::text END FROM (
    SELECT s.number FROM searched_tasks s
    WHERE array_to_tsvector(string_to_array(s.words, ' ')) @@ replace(replace(query, ' ', ' & '), '*', ':*')::tsquery LIMIT 10001
  ) f
$$;
-- both
