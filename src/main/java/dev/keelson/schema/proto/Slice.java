package dev.keelson.schema.proto;

/** The part of a descriptor set's bytes that holds one message or string. */
record Slice(int offset, int length) {}
