/**
 * Connects priority and fairness with the server: the stored objects that configure it, what it
 * asks of the watch cache, and its metrics. Begin with {@link dev.keelson.server.flow.FlowControl}.
 */
@NullMarked
package dev.keelson.server.flow;

import org.jspecify.annotations.NullMarked;
