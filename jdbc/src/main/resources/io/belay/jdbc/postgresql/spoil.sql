-- Fails, so that the transaction can only be rolled back; its reason is for the log of the server.
SELECT 'a fence was waited for too long: this transaction is to be rolled back'::int
