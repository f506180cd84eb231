"""The files in which a meter keeps events until Tollgate has them: SPOOL.md of the SDK for JavaScript, in Python."""
