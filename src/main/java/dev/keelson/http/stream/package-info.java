/**
 * The protocols of exec, attach and port forward between a client that speaks WebSocket and a
 * kubelet that speaks SPDY/3.1 alone: kubelets before 1.36, and those that do not declare {@code
 * ExtendWebSocketsToKubelet}. Everything runs on the event loop of the connections and passes bytes
 * as they come; nothing is queued beyond the write queues of the sockets. Knows frames and
 * channels; which kubelet, and who may ask it, is decided by {@code http.node}. Begin with {@link
 * dev.keelson.http.stream.TranslatedStreams}.
 */
@NullMarked
package dev.keelson.http.stream;

import org.jspecify.annotations.NullMarked;
