static int nothing;
