SELECT 'NOTE', 'reach',
  'SQLite is for the processes of one host; one that is stopped just while it writes stops the others.',
  'None needed there; never put the file on a disk that hosts share.'
