/**
 * The audit of requests: which events a request generates and where they go. Requests come in
 * through {@link dev.keelson.audit.Auditor}, policies decide with {@link
 * dev.keelson.audit.AuditPolicy}, and back ends take events as {@link dev.keelson.audit.EventSink}.
 * Knows no HTTP and no file.
 */
@NullMarked
package dev.keelson.audit;

import org.jspecify.annotations.NullMarked;
