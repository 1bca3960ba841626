package dev.keelson.http.node;

/** Counts exec, attach and port forward by WebSocket, by where the WebSocket ends. */
@FunctionalInterface
public interface StreamCounter {

  /**
   * A request that is about to be passed on.
   *
   * @param subresource exec, attach or portforward
   * @param direct whether the kubelet takes the WebSocket; else it ends at this server
   */
  void count(String subresource, boolean direct);
}
