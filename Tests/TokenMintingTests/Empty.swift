// This room is empty yet.
