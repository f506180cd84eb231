-- How far the work is done that moves of the clock made due: a move that takes long is answered before its work has ended,
-- and any process can say how far it has come.
alter table sandbox.clock add column worked_through timestamptz;
