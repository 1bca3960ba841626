/**
 * Between requests and raw back ends: blocking with group commit, batching with throttling,
 * truncation of large events. Knows no file and no webhook. Begin with {@link
 * dev.keelson.audit.delivery.GroupCommitSink} and {@link dev.keelson.audit.delivery.BatchSink}.
 */
@NullMarked
package dev.keelson.audit.delivery;

import org.jspecify.annotations.NullMarked;
