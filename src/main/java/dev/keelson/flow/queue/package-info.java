/**
 * Fair queues of the requests of one priority level: which request is dispatched next, and when
 * there are seats for it. Nothing here waits: a queued request is told of its decision. Knows no
 * Kubernetes object. Begin with {@link dev.keelson.flow.queue.QueueSet}.
 */
@NullMarked
package dev.keelson.flow.queue;

import org.jspecify.annotations.NullMarked;
