// Owns the precompiled header that the libraries share.
