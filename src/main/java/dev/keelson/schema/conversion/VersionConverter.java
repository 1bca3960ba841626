package dev.keelson.schema.conversion;

import dev.keelson.api.GroupVersionKind;
import dev.keelson.object.ApiObject;

/** Changes the version of an object; so far only between versions of one shape. */
public final class VersionConverter {
  /** The same object in version {@code to}. */
  public ApiObject convert(ApiObject object, GroupVersionKind from, GroupVersionKind to) {
    return object.withType(to.apiVersion(), to.kind());
  }

  /** Whether the two versions differ in nothing but their name. */
  public boolean sameShape(GroupVersionKind from, GroupVersionKind to) {
    return from.kind().equals(to.kind());
  }
}
