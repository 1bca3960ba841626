package dev.keelson.server;

import dev.keelson.authz.rbac.RoleSource;
import dev.keelson.object.ApiObject;

/** Roles and bindings from the watch cache. */
record StoredRoles(FollowedTypes<RoleSource.Kind> types) implements RoleSource {

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
