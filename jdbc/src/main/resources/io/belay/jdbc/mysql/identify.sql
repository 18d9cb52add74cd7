-- ProxySQL would answer CONNECTION_ID() alone by itself, and hands on what has a @, from then on by one connection.
SELECT CONNECTION_ID(), CONCAT_WS(' ', @@hostname, @@port, @@server_id)
