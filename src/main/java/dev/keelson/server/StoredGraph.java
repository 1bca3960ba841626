package dev.keelson.server;

import dev.keelson.authz.node.GraphSource;
import dev.keelson.object.ApiObject;

/** What relates nodes to other objects, from the watch cache. */
record StoredGraph(FollowedTypes<GraphSource.Kind> types) implements GraphSource {

  @Override
  public void catchUp(Sink sink) {
    types.catchUp(
        new FollowedTypes.Sink<>() {
          @Override
          public void clear(Kind kind) {
            sink.clear(kind);
          }

          @Override
          public void put(Kind kind, ApiObject object) {
            sink.put(kind, object);
          }

          @Override
          public void remove(Kind kind, String namespace, String name) {
            sink.remove(kind, namespace, name);
          }
        });
  }
}
