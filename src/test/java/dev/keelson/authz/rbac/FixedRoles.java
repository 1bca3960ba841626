package dev.keelson.authz.rbac;

import dev.keelson.object.ObjectSink;
import java.util.List;

/** Roles and bindings that a test gives, all at once. */
final class FixedRoles implements RoleSource {

  private final List<DefaultRoles.Default> objects;
  private boolean told;

  FixedRoles(List<String> lines) {
    objects = DefaultRoles.parse(lines);
  }

  @Override
  public void catchUp(ObjectSink<Kind> sink) {
    if (!told) {
      told = true;
      objects.forEach(one -> sink.put(one.kind(), one.object()));
    }
  }
}
