package dev.keelson.audit;

/** A back end that records a request, and how. */
record Selected(AuditConfig config, EventSink sink) {}
